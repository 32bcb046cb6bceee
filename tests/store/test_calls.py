"""The log of API calls keeps the newest of each account."""

from datetime import datetime, timedelta

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.api_call import CALL_LIFE, ApiCall, ApiCallQuery
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from serve_app.store.mongo.accounts import calls as mongo_calls
from serve_app.store.sqlite.accounts import calls as sqlite_calls
from tests.support import NOON


def call(account: Account, request_id: str = "r", status: int = 200, at: datetime = NOON) -> ApiCall:
    code = "invoice_not_found" if status == 404 else None
    return ApiCall(new_id(), account.id, new_id(), request_id, at, "GET", "/v1/invoices", status, code, 12)


async def listed(store: Store, account: Account, **query: object) -> list[str]:
    page = await store.calls.page(account.id, ApiCallQuery(**query), 100)  # type: ignore[arg-type]
    return [call.request_id for call in page.items]


async def test_calls_are_listed_newest_first_as_they_were_added(store: Store, account: Account) -> None:
    calls = [call(account, f"r{number}") for number in range(5)]
    await store.calls.add(calls)
    page = await store.calls.page(account.id, ApiCallQuery(), 3)
    assert (list(page.items), page.has_more) == (calls[:1:-1], True)
    rest = await store.calls.page(account.id, ApiCallQuery(), 3, page.items[-1].id)
    assert (list(rest.items), rest.has_more) == (calls[1::-1], False)


async def test_calls_are_found_by_request_status_and_key(store: Store, account: Account) -> None:
    calls = [call(account, "a"), call(account, "b", 404), call(account, "c", 500)]
    await store.calls.add(calls)
    assert await listed(store, account, request_id="b") == ["b"]
    assert await listed(store, account, status_class=4) == ["b"]
    assert await listed(store, account, status_class=5) == ["c"]
    assert await listed(store, account, key_id=calls[0].key_id) == ["a"]
    assert await listed(store, account, status_class=2, request_id="b") == []


async def test_a_further_call_takes_the_place_of_the_oldest(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (sqlite_calls, mongo_calls):
        monkeypatch.setattr(module, "RING", 3)
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    await store.calls.add([call(account, f"r{number}") for number in range(4)] + [call(other, "theirs")])
    await store.calls.add([call(account, "r4")])
    assert await listed(store, account) == ["r4", "r3", "r2"]
    assert await listed(store, other) == ["theirs"]


async def test_calls_expire_and_go_with_their_account(store: Store, account: Account) -> None:
    await store.calls.add([call(account, "old"), call(account, "new", at=NOON + timedelta(hours=1))])
    await store.upkeep.expire(NOON + CALL_LIFE)
    assert await listed(store, account) == ["new"]
    await store.erasure.account(account.id)
    await store.calls.add([call(account, "late")])
    assert await listed(store, account) == []
