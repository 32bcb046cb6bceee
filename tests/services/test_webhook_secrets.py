"""Secrets are random, kept sealed, and changed without a gap."""

import base64
from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.sealing import Sealer, new_key
from serve_app.services.webhook_endpoints import ManageEndpoints
from serve_app.store.base import Store
from tests.support import NOON, Clock
from tests.support.webhooks import ENCRYPTION_KEY, URL, manage_endpoints

HOUR = 3600


@pytest.fixture
def endpoints(store: Store, clock: Clock) -> ManageEndpoints:
    return manage_endpoints(store, clock)


def opened(endpoint: WebhookEndpoint) -> list[str]:
    sealer = Sealer([ENCRYPTION_KEY])
    return [sealer.open(secret.sealed) for secret in endpoint.secrets]


async def test_a_secret_is_32_random_bytes_and_can_be_shown_again(endpoints: ManageEndpoints, account: Account) -> None:
    endpoint, secret = await endpoints.register(account.id, URL)
    _, other = await endpoints.register(account.id, URL + "/2")
    assert secret.startswith("whsec_")
    assert len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) == 32
    assert secret != other
    assert await endpoints.reveal_secret(account.id, endpoint.id) == secret


async def test_the_store_does_not_know_the_secret(endpoints: ManageEndpoints, store: Store, account: Account) -> None:
    endpoint, secret = await endpoints.register(account.id, URL)
    kept = await store.endpoints.get(account.id, endpoint.id)
    assert kept is not None
    assert secret.removeprefix("whsec_") not in str(kept)
    assert opened(kept) == [secret]


async def test_a_rotated_secret_signs_beside_the_new_one_for_24_hours(
    endpoints: ManageEndpoints, account: Account
) -> None:
    endpoint, first = await endpoints.register(account.id, URL)
    second = await endpoints.rotate_secret(account.id, endpoint.id)
    rotated = await endpoints.get(account.id, endpoint.id)
    assert opened(rotated) == [second, first]
    assert [one.expires_at for one in rotated.secrets] == [None, NOON + timedelta(hours=24)]
    assert await endpoints.reveal_secret(account.id, endpoint.id) == second


@pytest.mark.parametrize("hours", [1, 25])
async def test_after_another_rotation_two_secrets_are_left(
    endpoints: ManageEndpoints, clock: Clock, account: Account, hours: int
) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    second = await endpoints.rotate_secret(account.id, endpoint.id)
    clock.advance(hours * HOUR)
    third = await endpoints.rotate_secret(account.id, endpoint.id)
    rotated = await endpoints.get(account.id, endpoint.id)
    assert opened(rotated) == [third, second]
    assert rotated.secrets[1].expires_at == NOON + timedelta(hours=24 + hours)


async def test_with_another_key_a_secret_is_not_shown_but_can_be_rotated(
    endpoints: ManageEndpoints, store: Store, clock: Clock, account: Account
) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    elsewhere = manage_endpoints(store, clock, new_key())
    with pytest.raises(ValueError, match="another encryption key"):
        await elsewhere.reveal_secret(account.id, endpoint.id)
    secret = await elsewhere.rotate_secret(account.id, endpoint.id)
    assert await elsewhere.reveal_secret(account.id, endpoint.id) == secret
    # One that cannot be opened would keep the new one from signing.
    assert len((await elsewhere.get(account.id, endpoint.id)).secrets) == 1
