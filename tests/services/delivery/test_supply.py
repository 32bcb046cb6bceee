"""What is claimed ahead is given out in time, or given back."""

import pytest

from serve_app.domain.webhook import Delivery
from serve_app.services.delivery.supply import Supply
from serve_app.store.base.webhooks import EndpointChanged
from tests.services.delivery.conftest import Webhooks
from tests.support import LEASE


class Seconds:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
async def supply(webhooks: Webhooks, seconds: Seconds) -> Supply:
    """Of an endpoint with three due deliveries."""
    endpoint = await webhooks.endpoint()
    for _ in range(3):
        await webhooks.emit()
    return Supply(webhooks.store, endpoint, seconds)


def drained(supply: Supply) -> list[Delivery]:
    taken = []
    while (one := supply.take()) is not None:
        taken.append(one[0])
    return taken


async def test_it_tells_whether_more_is_due(supply: Supply) -> None:
    assert await supply.claim(2)
    assert len(supply) == 2
    assert not await supply.claim(2)
    assert len(supply) == 3
    assert len(drained(supply)) == 3
    assert supply.take() is None


async def test_what_was_claimed_too_long_ago_is_not_begun_but_given_back(
    supply: Supply, seconds: Seconds, webhooks: Webhooks
) -> None:
    await supply.claim(2)
    seconds.now = 14.9
    assert supply.take() is not None
    seconds.now = 15.0
    assert supply.take() is None
    assert len(supply) == 0
    await supply.hand_back()
    (late, never_claimed) = await webhooks.store.deliveries.claim_due((await webhooks.log())[0].endpoint_id, LEASE, 3)
    assert {late.claims, never_claimed.claims} == {1, 2}


async def test_what_was_not_taken_is_given_back_and_not_given_out(supply: Supply, webhooks: Webhooks) -> None:
    await supply.claim(3)
    taken = supply.take()
    assert taken is not None
    await supply.hand_back()
    assert supply.take() is None
    again = await webhooks.store.deliveries.claim_due(taken[0].endpoint_id, LEASE, 3)
    assert taken[0].id not in {delivery.id for delivery in again}
    assert len(again) == 2


async def test_of_an_endpoint_that_was_changed_nothing_is_claimed(webhooks: Webhooks, supply: Supply) -> None:
    (endpoint,) = await webhooks.store.endpoints.of_account(webhooks.account.id)
    await webhooks.store.endpoints.replace(endpoint)
    with pytest.raises(EndpointChanged):
        await supply.claim(2)
    assert len(supply) == 0
