"""Secrets are random, kept sealed, and changed without a gap."""

import base64
from dataclasses import replace
from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import ServiceError
from serve_app.domain.webhook import EndpointSecret, WebhookEndpoint
from serve_app.keys.sealing import Sealer, new_key
from serve_app.services.webhooks.endpoints import EndpointService
from serve_app.services.webhooks.secrets import SealedElsewhere
from serve_app.store.base import Store
from tests.support import NOON, Clock
from tests.support.webhooks import ENCRYPTION_KEY, URL, manage_endpoints

HOUR = 3600


@pytest.fixture
def endpoints(store: Store, clock: Clock) -> EndpointService:
    return manage_endpoints(store, clock)


def opened(endpoint: WebhookEndpoint) -> list[str]:
    sealer = Sealer([ENCRYPTION_KEY])
    return [sealer.open(secret.sealed) for secret in endpoint.secrets]


async def test_a_secret_is_32_random_bytes_and_can_be_shown_again(endpoints: EndpointService, account: Account) -> None:
    endpoint, secret = await endpoints.register(account.id, URL)
    _, other = await endpoints.register(account.id, URL + "/2")
    assert secret.startswith("whsec_")
    assert len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) == 32
    assert secret != other
    assert await endpoints.reveal_secret(account.id, endpoint.id) == secret


async def test_the_store_does_not_know_the_secret(endpoints: EndpointService, store: Store, account: Account) -> None:
    endpoint, secret = await endpoints.register(account.id, URL)
    kept = await store.endpoints.get(account.id, endpoint.id)
    assert kept is not None
    assert secret.removeprefix("whsec_") not in str(kept)
    assert opened(kept) == [secret]


async def test_a_rotated_secret_signs_beside_the_new_one_for_24_hours(
    endpoints: EndpointService, account: Account
) -> None:
    endpoint, first = await endpoints.register(account.id, URL)
    second = await endpoints.rotate_secret(account.id, endpoint.id)
    rotated = await endpoints.get(account.id, endpoint.id)
    assert opened(rotated) == [second, first]
    assert [secret.expires_at for secret in rotated.secrets] == [None, NOON + timedelta(hours=24)]
    assert await endpoints.reveal_secret(account.id, endpoint.id) == second


async def test_every_secret_signs_for_its_24_hours_however_often_it_is_rotated(
    endpoints: EndpointService, clock: Clock, account: Account
) -> None:
    endpoint, first = await endpoints.register(account.id, URL)
    second = await endpoints.rotate_secret(account.id, endpoint.id)
    clock.advance(HOUR)
    third = await endpoints.rotate_secret(account.id, endpoint.id)
    rotated = await endpoints.get(account.id, endpoint.id)
    assert opened(rotated) == [third, second, first]
    assert [secret.expires_at for secret in rotated.secrets[1:]] == [
        NOON + timedelta(hours=25),
        NOON + timedelta(hours=24),
    ]


async def test_a_fourth_secret_waits_until_the_first_has_ended(
    endpoints: EndpointService, clock: Clock, account: Account
) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    second, third = [await endpoints.rotate_secret(account.id, endpoint.id) for _ in range(2)]
    with pytest.raises(
        ServiceError, match="already has 3 secrets that sign; the oldest expires at 2026-05-18 12:00 UTC"
    ):
        await endpoints.rotate_secret(account.id, endpoint.id)
    assert await endpoints.reveal_secret(account.id, endpoint.id) == third
    clock.advance(24 * HOUR)
    fourth = await endpoints.rotate_secret(account.id, endpoint.id)
    rotated = opened(await endpoints.get(account.id, endpoint.id))
    assert rotated == [fourth, third]
    assert second not in rotated


async def test_with_another_key_a_secret_is_neither_shown_nor_lost(
    endpoints: EndpointService, store: Store, clock: Clock, account: Account
) -> None:
    endpoint, secret = await endpoints.register(account.id, URL)
    elsewhere = manage_endpoints(store, clock, new_key())
    with pytest.raises(ValueError, match="cannot decrypt"):
        await elsewhere.reveal_secret(account.id, endpoint.id)
    with pytest.raises(SealedElsewhere, match="cannot decrypt"):
        await elsewhere.rotate_secret(account.id, endpoint.id)
    assert await endpoints.reveal_secret(account.id, endpoint.id) == secret


async def test_an_old_secret_is_not_lost_either_while_it_signs(
    endpoints: EndpointService, store: Store, clock: Clock, account: Account
) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    other_key = new_key()
    elsewhere = manage_endpoints(store, clock, other_key)
    sealed = replace(endpoint.secrets[0], expires_at=NOON + timedelta(hours=1))
    mixed = replace(endpoint, secrets=(EndpointSecret(Sealer([other_key]).seal("whsec_bmV3")), sealed))
    assert await store.endpoints.replace(mixed) is not None
    with pytest.raises(SealedElsewhere):
        await elsewhere.rotate_secret(account.id, endpoint.id)
    clock.advance(HOUR)
    assert await elsewhere.rotate_secret(account.id, endpoint.id)


async def test_once_the_key_is_lost_a_secret_can_be_replaced(
    endpoints: EndpointService, store: Store, clock: Clock, account: Account
) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    elsewhere = manage_endpoints(store, clock, new_key())
    secret = await elsewhere.rotate_secret(account.id, endpoint.id, lost_key=True)
    assert await elsewhere.reveal_secret(account.id, endpoint.id) == secret
    # One that cannot be opened would keep the new one from signing.
    assert len((await elsewhere.get(account.id, endpoint.id)).secrets) == 1
