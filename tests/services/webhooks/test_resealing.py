"""Secrets are sealed anew with another key, and stay what they are for their receivers."""

import json
from dataclasses import replace

import pytest
from standardwebhooks import Webhook

from serve_app.domain.account import Account
from serve_app.domain.clock import utc_now
from serve_app.domain.webhook import EndpointSecret
from serve_app.keys.sealing import Sealer, new_key
from serve_app.services.delivery.signer import Signer
from serve_app.services.webhooks.resealing import reseal
from serve_app.services.webhooks.secrets import EndpointSecrets
from serve_app.store.base import Store
from tests.store.hooks import add_endpoint


@pytest.mark.parametrize("count", [3, pytest.param(1000, marks=pytest.mark.slow)])
async def test_every_receiver_still_verifies_with_its_old_secret(store: Store, account: Account, count: int) -> None:
    old, new = new_key(), new_key()
    known = {}
    for _ in range(count):
        secret, raw = EndpointSecrets(Sealer([old])).new()
        known[(await add_endpoint(store, account, secrets=(secret,))).id] = raw
    assert await reseal(store.endpoints, Sealer([new, old])) == count
    only_new = Sealer([new])
    for endpoint in await store.endpoints.of_account(account.id):
        headers = dict(Signer(endpoint, only_new).headers("evt_1", utc_now(), b'{"a": 1}'))
        assert Webhook(known[endpoint.id]).verify(b'{"a": 1}', headers) == json.loads('{"a": 1}')


async def test_a_secret_that_is_ending_is_sealed_again_too(store: Store, account: Account) -> None:
    old, new = new_key(), new_key()
    sealer, end = Sealer([old]), utc_now()
    secrets = (EndpointSecret(sealer.seal("one")), EndpointSecret(sealer.seal("two"), end))
    endpoint = await add_endpoint(store, account, secrets=secrets)
    await reseal(store.endpoints, Sealer([new, old]))
    await reseal(store.endpoints, Sealer([new, old]))
    found = await store.endpoints.get(account.id, endpoint.id)
    assert found is not None
    assert [Sealer([new]).open(secret.sealed) for secret in found.secrets] == ["one", "two"]
    assert found.secrets[1].expires_at == end
    assert replace(found, secrets=endpoint.secrets, revision=0) == endpoint
