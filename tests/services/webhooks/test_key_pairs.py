"""Key pairs of endpoints: private keys stay sealed, sign beside the secret, and are replaced without a gap."""

import importlib.util
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from serve_app.domain.account import Account
from serve_app.domain.clock import utc_now
from serve_app.domain.errors import ServiceError
from serve_app.domain.ids import new_id
from serve_app.domain.user_error import UserError
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.keys.sealing import Sealer, new_key
from serve_app.services.delivery.signer import Signer
from serve_app.services.webhooks.endpoints import EndpointService
from serve_app.services.webhooks.resealing import reseal
from serve_app.services.webhooks.sealed_check import check_secrets
from serve_app.services.webhooks.secrets import SealedElsewhere
from serve_app.store.base import Store
from tests.support import NOON, Clock
from tests.support.webhooks import ENCRYPTION_KEY, URL, add_delivery, delivery_log, manage_endpoints

BODY = json.dumps({"id": "evt_1", "vendor": "Müller"}).encode()
DAY = 24 * 3600


def _example() -> Callable[[str, Mapping[str, str], bytes], Any]:
    path = Path(__file__).resolve().parents[3] / "docs" / "examples" / "verify_webhook_key.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    verify: Callable[[str, Mapping[str, str], bytes], Any] = module.verify
    return verify


verify_with_key = _example()


@pytest.fixture
def endpoints(store: Store, clock: Clock) -> EndpointService:
    return manage_endpoints(store, clock)


def sent(endpoint: WebhookEndpoint, key: str = ENCRYPTION_KEY) -> dict[str, str]:
    """The headers of an attempt; signed now, because receivers look at the real clock."""
    return dict(Signer(endpoint, Sealer([key])).headers("evt_1", utc_now(), BODY))


def versions(headers: dict[str, str]) -> list[str]:
    return [each.partition(",")[0] for each in headers["webhook-signature"].split(" ")]


def public(endpoint: WebhookEndpoint, place: int = 0) -> str:
    return endpoint.signing_keys[place].public_key or ""


async def test_an_endpoint_signs_with_its_secret_alone_unless_its_owner_wants_a_key_pair(
    endpoints: EndpointService, account: Account
) -> None:
    endpoint, secret = await endpoints.register(account.id, URL)
    assert versions(sent(endpoint)) == ["v1"]
    paired = await endpoints.sign_with_key(account.id, endpoint.id)
    headers = sent(paired)
    assert versions(headers) == ["v1", "v1a"]
    assert Webhook(secret).verify(BODY, headers) == json.loads(BODY)
    assert verify_with_key(public(paired), headers, BODY) == json.loads(BODY)
    alone = await endpoints.sign_without_key(account.id, endpoint.id)
    assert (versions(sent(alone)), alone.secrets) == (["v1"], endpoint.secrets)


async def test_asking_twice_keeps_the_key_pair(endpoints: EndpointService, account: Account) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    first = await endpoints.sign_with_key(account.id, endpoint.id)
    assert (await endpoints.sign_with_key(account.id, endpoint.id)).signing_keys == first.signing_keys


async def test_each_endpoint_has_a_pair_of_its_own_and_the_store_knows_the_public_key_only(
    endpoints: EndpointService, store: Store, account: Account
) -> None:
    paired = []
    for number in range(2):
        endpoint, _ = await endpoints.register(account.id, f"{URL}/{number}")
        paired.append(await endpoints.sign_with_key(account.id, endpoint.id))
    assert public(paired[0]) != public(paired[1])
    kept = await store.endpoints.get(account.id, paired[0].id)
    assert kept == paired[0]
    private = Sealer([ENCRYPTION_KEY]).open(paired[0].signing_keys[0].sealed)
    assert private.startswith("whsk_")
    assert private not in str(kept)
    with pytest.raises(ValueError, match="not signed"):
        verify_with_key(public(paired[1]), sent(paired[0]), BODY)


async def test_a_replaced_pair_signs_for_24_hours_more_and_leaves_the_secret_alone(
    endpoints: EndpointService, account: Account
) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    first = await endpoints.sign_with_key(account.id, endpoint.id)
    second = await endpoints.rotate_key(account.id, endpoint.id)
    assert [key.expires_at for key in second.signing_keys] == [None, NOON + timedelta(hours=24)]
    assert [key.public_key for key in second.signing_keys][1] == public(first)
    assert second.secrets == first.secrets
    now = NOON + timedelta(hours=23)
    signed = Signer(second, Sealer([ENCRYPTION_KEY])).headers("evt_1", now, BODY)["webhook-signature"]
    later = Signer(second, Sealer([ENCRYPTION_KEY])).headers("evt_1", now + timedelta(hours=1), BODY)
    assert (len(signed.split()), len(later["webhook-signature"].split())) == (3, 2)


async def test_three_pairs_sign_at_most(endpoints: EndpointService, clock: Clock, account: Account) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    with pytest.raises(ServiceError, match="has no key pair"):
        await endpoints.rotate_key(account.id, endpoint.id)
    await endpoints.sign_with_key(account.id, endpoint.id)
    for _ in range(2):
        await endpoints.rotate_key(account.id, endpoint.id)
    with pytest.raises(ServiceError, match="already has 3 keys that sign; the oldest expires at 2026-05-18 12:00 UTC"):
        await endpoints.rotate_key(account.id, endpoint.id)
    clock.advance(DAY)
    assert len((await endpoints.rotate_key(account.id, endpoint.id)).signing_keys) == 2


async def test_another_encryption_key_reseals_pairs_and_receivers_keep_their_public_key(
    endpoints: EndpointService, store: Store, account: Account
) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    paired = await endpoints.sign_with_key(account.id, endpoint.id)
    new = new_key()
    await reseal(store.endpoints, Sealer([new, ENCRYPTION_KEY]))
    found = await store.endpoints.get(account.id, endpoint.id)
    assert found is not None
    assert verify_with_key(public(paired), sent(found, key=new), BODY) == json.loads(BODY)


async def test_a_start_notices_a_pair_that_it_cannot_open(
    endpoints: EndpointService, store: Store, account: Account
) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    await endpoints.sign_with_key(account.id, endpoint.id)
    found = await endpoints.get(account.id, endpoint.id)
    sealer, other = Sealer([ENCRYPTION_KEY]), Sealer([new_key()])
    await check_secrets(store.endpoints, sealer, NOON)
    raw = sealer.open(found.secrets[0].sealed)
    await replace_secret(store, found, other.seal(raw))
    with pytest.raises(UserError, match="1 webhook endpoint"):
        await check_secrets(store.endpoints, other, NOON)


async def replace_secret(store: Store, endpoint: WebhookEndpoint, sealed: str) -> None:
    """The endpoint's secret as another key seals it, so that only the pair cannot be opened."""
    secrets = (replace(endpoint.secrets[0], sealed=sealed),)
    assert await store.endpoints.replace(replace(endpoint, secrets=secrets)) is not None


async def test_once_the_encryption_key_is_lost_secret_and_pair_are_replaced(
    endpoints: EndpointService, store: Store, clock: Clock, account: Account
) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    before = await endpoints.sign_with_key(account.id, endpoint.id)
    other = new_key()
    elsewhere = manage_endpoints(store, clock, other)
    with pytest.raises(SealedElsewhere):
        await elsewhere.rotate_key(account.id, endpoint.id)
    await elsewhere.rotate_secret(account.id, endpoint.id, lost_key=True)
    after = await elsewhere.get(account.id, endpoint.id)
    assert len(after.signing_keys) == 1
    assert public(after) != public(before)
    assert verify_with_key(public(after), sent(after, key=other), BODY) == json.loads(BODY)


async def test_the_request_that_is_shown_to_its_owner_has_both_signatures(
    endpoints: EndpointService, store: Store, clock: Clock, account: Account
) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    paired = await endpoints.sign_with_key(account.id, endpoint.id)
    delivery = await add_delivery(store, clock, account.id, endpoint.id)
    _, headers, body = await delivery_log(store).sign(account.id, delivery.id)
    assert verify_with_key(public(paired), headers, body.encode())["type"] == "invoice.completed"


async def test_another_account_reaches_no_pair(endpoints: EndpointService, account: Account) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    for act in (endpoints.sign_with_key, endpoints.sign_without_key, endpoints.rotate_key):
        with pytest.raises(LookupError):
            await act(new_id(), endpoint.id)
