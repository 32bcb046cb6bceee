"""At the start, every secret that still signs can be opened, or the endpoint is named."""

from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.user_error import UserError
from serve_app.keys.sealing import Sealer, new_key
from serve_app.services.webhooks import sealed_check
from serve_app.services.webhooks.endpoints import EndpointService
from serve_app.services.webhooks.sealed_check import check_few_secrets, check_secrets
from serve_app.services.webhooks.secrets import EndpointSecrets
from serve_app.store.base import Store
from tests.support import Clock
from tests.support.webhooks import ENCRYPTION_KEY, URL, manage_endpoints


@pytest.fixture
def endpoints(store: Store, clock: Clock) -> EndpointService:
    return manage_endpoints(store, clock)


async def test_a_store_without_endpoints_fits_every_key(store: Store, clock: Clock) -> None:
    await check_secrets(store.endpoints, Sealer([new_key()]), clock())


async def test_one_key_of_several_may_open_them(
    store: Store, endpoints: EndpointService, account: Account, clock: Clock
) -> None:
    await endpoints.register(account.id, URL)
    await check_secrets(store.endpoints, Sealer([new_key(), ENCRYPTION_KEY]), clock())


async def test_endpoints_that_no_key_opens_are_named_on_all_pages(
    store: Store, endpoints: EndpointService, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed_check, "_PAGE", 2)
    made = [(await endpoints.register(account.id, f"{URL}/{n}"))[0] for n in range(5)]
    with pytest.raises(UserError, match=r"secrets of 5 webhook endpoints: .* and 2 more") as caught:
        await check_secrets(store.endpoints, Sealer([new_key()]), clock())
    assert [str(endpoint.id) in str(caught.value) for endpoint in made] == [True, True, True, False, False]
    assert "--lost-key" in str(caught.value)


async def test_an_old_secret_counts_for_as_long_as_it_signs(
    store: Store, endpoints: EndpointService, account: Account, clock: Clock
) -> None:
    endpoint, _ = await endpoints.register(account.id, URL)
    new = new_key()
    rotated, _ = EndpointSecrets(Sealer([new, ENCRYPTION_KEY])).rotated(endpoint, clock())
    await store.endpoints.replace(rotated)
    with pytest.raises(UserError, match="secrets of 1 webhook endpoint"):
        await check_secrets(store.endpoints, Sealer([new]), clock())
    await check_secrets(store.endpoints, Sealer([new]), clock() + timedelta(hours=25))


async def test_keys_that_open_none_of_a_few_secrets_are_those_of_another_deployment(
    store: Store, endpoints: EndpointService, account: Account, clock: Clock
) -> None:
    await check_few_secrets(store.endpoints, Sealer([new_key()]), clock())
    await endpoints.register(account.id, URL)
    await check_few_secrets(store.endpoints, Sealer([ENCRYPTION_KEY]), clock())
    with pytest.raises(UserError, match="cannot decrypt"):
        await check_few_secrets(store.endpoints, Sealer([new_key()]), clock())


async def test_one_secret_of_another_key_is_no_sign_of_another_deployment(
    store: Store, account: Account, clock: Clock
) -> None:
    for number, key in enumerate((new_key(), ENCRYPTION_KEY)):
        await manage_endpoints(store, clock, key).register(account.id, f"{URL}/{number}")
    await check_few_secrets(store.endpoints, Sealer([ENCRYPTION_KEY]), clock())
