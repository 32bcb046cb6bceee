"""The screen of API keys."""

import re
from datetime import timedelta

import httpx
import pytest

from serve_app.domain.account import Account, ApiKey, Plan, Scope, hash_key, mint_key
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.livemode import sandbox_id
from serve_app.domain.person import Role
from serve_app.store.base import Store
from tests.support import NOON, UNKNOWN_ID, Clock
from tests.support.webhooks import URL, manage_endpoints
from tests.web.conftest import Browse


@pytest.fixture
async def key(store: Store, account: Account) -> ApiKey:
    key, _ = mint_key(account.id, "till <b>", Scope.READ, NOON)
    await store.keys.add(key)
    return key


def raw_key(page: httpx.Response) -> str:
    found = re.search(r'class="secret">([^<]+)<', page.text)
    assert found is not None
    return found[1]


async def actions(store: Store, account: Account) -> list[tuple[str, str]]:
    return [(entry.action, entry.target) for entry in (await store.audit.page(account.id, 10)).items]


async def test_the_list_says_all_but_the_key(browse: Browse, store: Store, key: ApiKey) -> None:
    await store.keys.note_use([key.id], NOON.date())
    page = (await browse().get("/app/keys")).text
    assert "till &lt;b&gt;" in page
    assert "till <b>" not in page
    assert key.prefix in page
    assert "17 May 2026" in page
    assert key.hash not in page


async def test_a_key_of_test_mode_is_of_the_sandbox_and_in_the_list(
    browse: Browse, store: Store, account: Account
) -> None:
    browser = browse()
    raw = raw_key(await browser.post("/app/keys/new", data={"name": "try", "scope": "full", "mode": "test"}))
    assert raw.startswith("inv_test_")
    caller = await store.keys.find_caller(hash_key(raw), utc_now())
    assert caller is not None
    assert caller.account.id == sandbox_id(account.id)
    assert "inv_test_" in (await browser.get("/app/keys")).text
    await browser.post(f"/app/keys/{caller.key.id}/revoke")
    assert await store.keys.find_caller(hash_key(raw), utc_now()) is None


async def test_without_keys_the_list_says_what_to_do(browse: Browse) -> None:
    assert "No keys yet" in (await browse().get("/app/keys")).text


async def test_a_new_key_is_shown_once_and_works(browse: Browse, store: Store, account: Account) -> None:
    browser = browse()
    made = await browser.post("/app/keys/new", data={"name": "ERP", "scope": "read"})
    assert made.status_code == 200
    assert made.headers["cache-control"] == "no-store"
    raw = raw_key(made)
    caller = await store.keys.find_caller(hash_key(raw), utc_now())
    assert caller is not None
    assert (caller.account, caller.key.name, caller.key.scope) == (account, "ERP", Scope.READ)
    assert raw not in (await browser.get("/app/keys")).text
    assert await actions(store, account) == [("key.created", "ERP")]


@pytest.mark.parametrize("form", [{"name": " "}, {"name": "x" * 101}, {"name": "a", "scope": "all"}, {}])
async def test_a_form_that_cannot_be_used_comes_back_with_the_reason(
    browse: Browse, store: Store, account: Account, form: dict[str, str]
) -> None:
    answer = await browse().post("/app/keys/new", data=form)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert await store.keys.of_account(account.id) == []


@pytest.mark.parametrize(("overlap", "hours"), [("0", 0), ("24", 24), ("168", 168)])
async def test_a_rolled_key_ends_when_its_owner_chose(
    browse: Browse, store: Store, account: Account, key: ApiKey, overlap: str, hours: int
) -> None:
    browser = browse()
    assert "24 hours" in (await browser.get(f"/app/keys/{key.id}/roll")).text
    made = await browser.post(f"/app/keys/{key.id}/roll", data={"overlap": overlap})
    assert await store.keys.find_caller(hash_key(raw_key(made)), utc_now()) is not None
    new, old = await store.keys.of_account(account.id)
    assert (new.name, new.scope, old.id) == (key.name, key.scope, key.id)
    assert old.revoked_at == NOON + timedelta(hours=hours)
    again = await browser.post(f"/app/keys/{key.id}/roll", data={"overlap": overlap})
    assert again.headers["location"] == "/app/keys"
    assert len(await store.keys.of_account(account.id)) == 2


async def test_revoking_asks_and_names_the_day_of_the_last_use(
    browse: Browse, store: Store, account: Account, key: ApiKey
) -> None:
    browser = browse()
    await store.keys.note_use([key.id], utc_now().date())
    question = (await browser.get(f"/app/keys/{key.id}/revoke")).text
    assert "used today" in question
    assert (await store.keys.of_account(account.id))[0].revoked_at is None
    answer = await browser.post(f"/app/keys/{key.id}/revoke")
    assert answer.status_code == 303
    assert (await store.keys.of_account(account.id))[0].revoked_at == NOON
    assert await actions(store, account) == [("key.revoked", key.name)]


PATHS = ("roll", "revoke")


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.VIEWER])
async def test_only_owners_see_keys(browse: Browse, store: Store, account: Account, key: ApiKey, role: Role) -> None:
    browser = browse(role)
    for path in ("/app/keys", "/app/keys/new", *(f"/app/keys/{key.id}/{what}" for what in PATHS)):
        assert (await browser.get(path)).status_code == 403, path
    for path in ("/app/keys/new", *(f"/app/keys/{key.id}/{what}" for what in PATHS)):
        assert (await browser.post(path, data={"name": "a"})).status_code == 403, path
    assert await store.keys.of_account(account.id) == [key]


async def test_another_accounts_key_is_not_there(browse: Browse, store: Store) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    theirs, _ = mint_key(other.id, "theirs", Scope.FULL, NOON)
    await store.keys.add(theirs)
    browser = browse()
    for id in (theirs.id, UNKNOWN_ID, "nonsense"):
        for what in PATHS:
            assert (await browser.get(f"/app/keys/{id}/{what}")).status_code == 404
            assert (await browser.post(f"/app/keys/{id}/{what}")).status_code == 404
    assert await store.keys.of_account(other.id) == [theirs]


async def test_keys_and_secrets_ask_for_a_recent_sign_in(
    browse: Browse, store: Store, account: Account, key: ApiKey, clock: Clock
) -> None:
    browser = browse()
    endpoint, _ = await manage_endpoints(store, clock).register(account.id, URL)
    clock.advance(601)
    hook = f"/app/webhooks/{endpoint.id}"
    asks = ["/app/keys/new", *(f"/app/keys/{key.id}/{what}" for what in PATHS), f"{hook}/rotate"]
    asks += [f"{hook}/key/rotate", f"{hook}/key/remove"]
    for path in asks:
        assert "again=1" in (await browser.get(path)).headers["location"], path
    for path in (*asks, "/app/quick-start", "/app/webhooks/new", f"{hook}/secret", f"{hook}/key"):
        answer = await browser.post(path, data={"name": "a"})
        assert "again=1" in answer.headers["location"], path
    assert await store.keys.of_account(account.id) == [key]
