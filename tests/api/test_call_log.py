"""Calls are recorded beside them: what was asked for, by which key, and what became of it."""

import asyncio
from typing import cast

import httpx
import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account, Scope
from serve_app.domain.api_call import ApiCall, ApiCallQuery
from serve_app.services.bundle import Services
from serve_app.store.base import Store
from tests.api.conftest import MakeKey
from tests.support import NOON, UNKNOWN_ID


async def recorded(app: FastAPI, store: Store, account: Account) -> list[ApiCall]:
    await cast(Services, app.state.services).finish()
    return list((await store.calls.page(account.id, ApiCallQuery(), 100)).items)


async def test_a_call_is_recorded_with_its_outcome(
    app: FastAPI, store: Store, account: Account, client: httpx.AsyncClient
) -> None:
    await client.get(f"/v1/invoices/{UNKNOWN_ID}?vendor=private", headers={"X-Request-Id": "mine"})
    await client.get("/v1/me")
    await client.head("/v1/me")
    await client.get("/v1/nothing")
    nothing, head, me, missing = await recorded(app, store, account)
    assert (missing.request_id, missing.method, missing.path) == ("mine", "GET", f"/v1/invoices/{UNKNOWN_ID}")
    assert (missing.status, missing.code, missing.at) == (404, "invoice_not_found", NOON)
    assert (me.status, me.code, me.account_id) == (200, None, account.id)
    assert (head.method, head.status) == ("HEAD", 200)
    assert (nothing.status, nothing.code) == (404, "route_not_found")
    (key,) = await store.keys.of_account(account.id)
    assert {call.key_id for call in (nothing, head, me, missing)} == {key.id}


async def test_what_is_refused_for_its_key_is_recorded_too(
    app: FastAPI, store: Store, account: Account, anyone: httpx.AsyncClient, make_key: MakeKey
) -> None:
    await anyone.post("/v1/invoices", headers=await make_key(Scope.READ), files={"file": b"x"})
    await anyone.get("/v1/me")
    await anyone.get("/v1/me", headers={"Authorization": "Bearer unknown"})
    (refused,) = await recorded(app, store, account)
    assert (refused.status, refused.code) == (403, "insufficient_scope")


async def test_no_link_is_recorded(app: FastAPI, store: Store, account: Account, client: httpx.AsyncClient) -> None:
    await client.get("/v1/files/secret-of-a-link/x.pdf")
    assert not any("secret" in call.path for call in await recorded(app, store, account))


async def test_a_call_does_not_wait_for_its_note(
    store: Store, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(store.calls, "add", never)
    monkeypatch.setattr(store.keys, "note_use", never)
    async with asyncio.timeout(5):
        for _ in range(10):
            assert (await client.get("/v1/me")).status_code == 200


async def test_the_day_of_a_keys_last_use_is_recorded_once(
    app: FastAPI, store: Store, account: Account, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = []
    note_use = store.keys.note_use

    async def counted(*values: object) -> None:
        writes.append(values)
        await note_use(*values)  # type: ignore[arg-type]

    monkeypatch.setattr(store.keys, "note_use", counted)
    for _ in range(3):
        await client.get("/v1/me")
        await cast(Services, app.state.services).finish()
    (key,) = await store.keys.of_account(account.id)
    assert (key.last_used_on, len(writes)) == (NOON.date(), 1)
