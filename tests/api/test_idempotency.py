"""The `Idempotency-Key` of POST /v1/invoices."""

import asyncio
from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.idempotency import IN_FLIGHT, REPLAY_WINDOW, IdempotencyRecord
from serve_app.domain.ids import new_id
from serve_app.domain.query import InvoiceQuery
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.support import MONTH, NOON, PDF_BYTES, Clock

PATH = "/v1/invoices"


async def post(client: httpx.AsyncClient, key: str = "k", data: bytes = PDF_BYTES, **more: Any) -> httpx.Response:
    headers = {"Idempotency-Key": key, **more.pop("headers", {})}
    return await client.post(PATH, files={"file": ("a.pdf", data)}, headers=headers, **more)


async def count(store: Store, account: Account) -> int:
    return len((await store.invoices.page(account.id, InvoiceQuery(), 1000)).items)


async def test_a_repetition_gets_the_first_answer_again(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    first = await post(client)
    assert first.status_code == 202
    assert "Idempotency-Replayed" not in first.headers
    again = await post(client, data=b"%PDF-1.4 another document")
    assert (again.status_code, again.json()) == (202, first.json())
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["Location"] == first.headers["Location"]
    assert await count(store, account) == 1
    assert await store.quotas.used(account.id, MONTH) == 1


@pytest.mark.usefixtures("running")
async def test_the_finished_invoice_of_a_held_call_is_replayed(client: httpx.AsyncClient) -> None:
    first = await post(client, params={"wait": "true"})
    assert (first.status_code, first.json()["status"]) == (200, "complete")
    again = await post(client)
    assert (again.status_code, again.json()) == (200, first.json())


async def test_of_a_hundred_at_once_one_makes_an_invoice(
    anyone: httpx.AsyncClient, make_key: MakeKey, store: Store
) -> None:
    owner = Account(new_id(), Plan.UNLIMITED, NOON)
    await store.accounts.add(owner)
    keys = [await make_key(Scope.FULL, owner) for _ in range(4)]
    answers = await asyncio.gather(*(post(anyone, headers=keys[i % 4]) for i in range(100)))
    accepted = [answer for answer in answers if answer.status_code == 202]
    assert {answer.json()["id"] for answer in accepted} == {accepted[0].json()["id"]}
    for answer in answers:
        if answer.status_code != 202:
            assert_error(answer, 409, "api_error", "idempotency_in_flight")
    assert await count(store, owner) == 1
    assert await store.quotas.used(owner.id, MONTH) == 1


async def test_an_error_releases_the_key(client: httpx.AsyncClient) -> None:
    assert_error(await post(client, data=b"text"), 415, "invalid_request_error", "unsupported_file_type")
    assert (await post(client)).status_code == 202


async def test_after_a_day_a_key_is_new(
    client: httpx.AsyncClient, store: Store, account: Account, clock: Clock
) -> None:
    await post(client)
    clock.advance(REPLAY_WINDOW.total_seconds())
    assert "Idempotency-Replayed" not in (await post(client)).headers
    assert await count(store, account) == 2


async def held(store: Store, account: Account) -> IdempotencyRecord:
    """The key, held by a request that has died."""
    record = IdempotencyRecord(account.id, "k", new_id(), new_id(), created_at=NOON, held_since=NOON)
    return await store.idempotency.hold(record)


async def test_a_key_in_flight_is_409(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    await held(store, account)
    answer = await post(client)
    assert_error(answer, 409, "api_error", "idempotency_in_flight")
    assert int(answer.headers["Retry-After"]) > 0
    assert await count(store, account) == 0


async def test_what_a_dead_request_began_is_made_under_the_reserved_id(
    client: httpx.AsyncClient, store: Store, account: Account, clock: Clock
) -> None:
    record = await held(store, account)
    clock.advance(IN_FLIGHT.total_seconds())
    answer = await post(client)
    assert answer.json()["id"] == str(record.invoice_id)
    assert "Idempotency-Replayed" not in answer.headers


async def test_the_invoice_of_a_dead_request_is_replayed(
    client: httpx.AsyncClient, store: Store, account: Account, clock: Clock
) -> None:
    first = await post(client, "first")
    record = IdempotencyRecord(account.id, "k", first.json()["id"], new_id(), created_at=NOON, held_since=NOON)
    await store.idempotency.hold(record)
    clock.advance(IN_FLIGHT.total_seconds())
    for _ in range(2):
        answer = await post(client)
        assert (answer.status_code, answer.json()["id"]) == (202, first.json()["id"])
        assert answer.headers["Idempotency-Replayed"] == "true"
    assert await count(store, account) == 1


async def test_keys_belong_to_an_account(
    client: httpx.AsyncClient, anyone: httpx.AsyncClient, make_key: MakeKey, store: Store
) -> None:
    first = await post(client)
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    answer = await post(anyone, headers=await make_key(Scope.FULL, other))
    assert answer.json()["id"] != first.json()["id"]


@pytest.mark.parametrize("key", ["", "x" * 256])
async def test_a_key_of_no_or_too_many_characters_is_400(client: httpx.AsyncClient, key: str) -> None:
    assert_error(await post(client, key), 400, "invalid_request_error", "invalid_parameter")


async def test_255_characters_are_allowed(client: httpx.AsyncClient) -> None:
    assert (await post(client, "x" * 255)).status_code == 202
