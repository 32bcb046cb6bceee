"""What is claimed ahead is given out in time, or given back."""

import pytest

from serve_app.domain.webhook import Delivery
from serve_app.services.delivery.claimed_deliveries import ClaimedDeliveries
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
async def claimed(webhooks: Webhooks, seconds: Seconds) -> ClaimedDeliveries:
    """Of an endpoint with three due deliveries."""
    endpoint = await webhooks.endpoint()
    for _ in range(3):
        await webhooks.emit()
    return ClaimedDeliveries(webhooks.store, endpoint, seconds)


def drained(claimed: ClaimedDeliveries) -> list[Delivery]:
    taken = []
    while (one := claimed.take()) is not None:
        taken.append(one[0])
    return taken


async def test_it_shows_whether_more_is_due(claimed: ClaimedDeliveries) -> None:
    assert await claimed.claim(2)
    assert len(claimed) == 2
    assert not await claimed.claim(2)
    assert len(claimed) == 3
    assert len(drained(claimed)) == 3
    assert claimed.take() is None


async def test_what_was_claimed_too_long_ago_is_not_begun_but_given_back(
    claimed: ClaimedDeliveries, seconds: Seconds, webhooks: Webhooks
) -> None:
    await claimed.claim(2)
    seconds.now = 14.9
    assert claimed.take() is not None
    seconds.now = 15.0
    assert claimed.take() is None
    assert len(claimed) == 0
    await claimed.hand_back()
    (late, never_claimed) = await webhooks.store.deliveries.claim_due((await webhooks.log())[0].endpoint_id, LEASE, 3)
    assert {late.claims, never_claimed.claims} == {1, 2}


async def test_what_was_not_taken_is_given_back_and_not_given_out(
    claimed: ClaimedDeliveries, webhooks: Webhooks
) -> None:
    await claimed.claim(3)
    taken = claimed.take()
    assert taken is not None
    await claimed.hand_back()
    assert claimed.take() is None
    again = await webhooks.store.deliveries.claim_due(taken[0].endpoint_id, LEASE, 3)
    assert taken[0].id not in {delivery.id for delivery in again}
    assert len(again) == 2


async def test_of_an_endpoint_that_was_changed_nothing_is_claimed(
    webhooks: Webhooks, claimed: ClaimedDeliveries
) -> None:
    (endpoint,) = await webhooks.store.endpoints.of_account(webhooks.account.id)
    await webhooks.store.endpoints.replace(endpoint)
    with pytest.raises(EndpointChanged):
        await claimed.claim(2)
    assert len(claimed) == 0
