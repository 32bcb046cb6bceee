"""DELETE /v1/invoices/{id}."""

import asyncio
from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.batch import Section, records_of
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.invoice import Extraction, Status
from serve_app.domain.retention import Retention
from serve_app.services.upkeep.housekeeping import Housekeeping
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.api.invoices import complete_one
from tests.support import MONTH, NOON, PDF_BYTES, Clock, FakeReader, claim_next, newest_events
from tests.support.databases import KINDS

PATH = "/v1/invoices"
FORM = {"file": ("a.pdf", PDF_BYTES)}


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def has_file(files: Files, account: Account, invoice_id: str) -> bool:
    try:
        await files.read(f"{account.id}/{invoice_id}")
    except FileNotFoundError:
        return False
    return True


@pytest.mark.usefixtures("running")
async def test_it_takes_everything_of_the_invoice_with_it(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    keyed = {"Idempotency-Key": "order 7"}
    invoice = (await client.post(f"{PATH}?wait=true", files=FORM, headers=keyed)).json()
    link = (await client.get(f"{PATH}/{invoice['id']}/file")).json()["url"]
    (event,) = await newest_events(store, account.id)
    answer = await client.delete(f"{PATH}/{invoice['id']}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert "X-RateLimit-Remaining" in answer.headers
    for path in (f"{PATH}/{invoice['id']}", f"{PATH}/{invoice['id']}/file", link):
        assert_error(await client.get(path), 404, "not_found", "invoice_not_found")
    assert_error(await client.get(f"/v1/events/{event.id}"), 404, "not_found", "event_not_found")
    assert (await client.get("/v1/events")).json()["data"] == []
    assert (await client.get(PATH)).json()["data"] == []
    assert not await has_file(files, account, invoice["id"])
    again = await client.post(PATH, files=FORM, headers=keyed)
    assert (again.status_code, again.json()["id"] == invoice["id"]) == (202, False)
    assert await store.quotas.used(account.id, MONTH) == 2


async def test_the_second_time_it_is_404(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    invoice = await complete_one(store, account)
    assert (await client.delete(f"{PATH}/{invoice.id}")).status_code == 204
    assert_error(await client.delete(f"{PATH}/{invoice.id}"), 404, "not_found", "invoice_not_found")


async def test_of_many_at_once_none_fails(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    invoice, kept = await complete_one(store, account), await complete_one(store, account)
    answers = await asyncio.gather(*(client.delete(f"{PATH}/{invoice.id}") for _ in range(10)))
    assert {answer.status_code for answer in answers} <= {204, 404}
    assert any(answer.status_code == 204 for answer in answers)
    assert [invoice["id"] for invoice in (await client.get(PATH)).json()["data"]] == [str(kept.id)]


async def test_the_file_of_a_batch_stays_for_the_other_parts(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    first = (await client.post(PATH, files=FORM)).json()["id"]
    claim = await claim_next(store)
    sections = [Section(page, page, Extraction(vendor_name="ACME", invoice_number=str(page))) for page in (1, 2, 3)]
    extraction, others = records_of(claim, sections, NOON)
    await store.queue.save_result(claim, extraction, NOON, others)
    events = await newest_events(store, account.id)
    parts = [first, *(str(other.invoice.id) for other in others)]
    # The one that the file came in as goes first.
    for number, part in enumerate(parts[:2], 1):
        assert (await client.delete(f"{PATH}/{part}")).status_code == 204
        left = (await client.get(PATH, params={"batch": first})).json()["data"]
        assert [invoice["id"] for invoice in left] == parts[number:][::-1]
        assert [invoice["batch"]["index"] for invoice in left] == list(range(3, number, -1))
        link = (await client.get(f"{PATH}/{parts[2]}/file")).json()["url"]
        assert (await client.get(link)).content == b"pages 3 to 3"
    assert len((await client.get("/v1/events")).json()["data"]) == len(events) - 2
    assert (await client.delete(f"{PATH}/{parts[2]}")).status_code == 204
    assert not await has_file(files, account, first)


async def test_a_part_that_is_left_can_be_read_again(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    first = (await client.post(PATH, files=FORM)).json()["id"]
    claim = await claim_next(store)
    extraction, others = records_of(claim, [Section(page, page, Extraction()) for page in (1, 2)], NOON)
    await store.queue.save_result(claim, extraction, NOON, others)
    await newest_events(store, account.id)
    await client.delete(f"{PATH}/{first}")
    (second,) = others
    assert (await client.post(f"{PATH}/{second.invoice.id}/extract", json={"force": True})).status_code == 202
    again = await claim_next(store)
    assert (again.invoice.id, again.file_key) == (second.invoice.id, claim.file_key)


@pytest.mark.usefixtures("running")
async def test_an_invoice_that_is_being_read_is_gone_whatever_its_run_finds(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account, reader: FakeReader
) -> None:
    reading, gate = asyncio.Event(), asyncio.Event()

    async def wait_for_it() -> None:
        reading.set()
        await gate.wait()

    reader.before = wait_for_it
    invoice = (await client.post(PATH, files=FORM)).json()["id"]
    await asyncio.wait_for(reading.wait(), 10)
    assert (await client.get(f"{PATH}/{invoice}")).json()["status"] == Status.PROCESSING
    assert (await client.delete(f"{PATH}/{invoice}")).status_code == 204
    gate.set()
    # The slot is free: the next document is read.
    after = (await client.post(f"{PATH}?wait=true", files=FORM)).json()
    assert after["status"] == Status.COMPLETE
    assert [invoice["id"] for invoice in (await client.get(PATH)).json()["data"]] == [after["id"]]
    assert {str(event.data.invoice.id) for event in await newest_events(store, account.id)} <= {after["id"]}
    assert not await has_file(files, account, invoice)


async def test_a_queued_invoice_is_never_read(client: httpx.AsyncClient, store: Store) -> None:
    invoice = (await client.post(PATH, files=FORM)).json()["id"]
    assert (await client.delete(f"{PATH}/{invoice}")).status_code == 204
    assert await store.queue.repair() == 0
    with pytest.raises(AssertionError):
        await claim_next(store)


def broken(*_: object, **__: object) -> Any:
    raise StoreUnreachable


async def test_where_only_the_file_cannot_go_the_invoice_is_gone_and_the_file_follows(
    client: httpx.AsyncClient,
    store: Store,
    files: Files,
    account: Account,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    invoice = (await client.post(PATH, files=FORM)).json()["id"]
    with monkeypatch.context() as patch:
        patch.setattr(files, "delete", broken)
        assert (await client.delete(f"{PATH}/{invoice}")).status_code == 204
    assert_error(await client.get(f"{PATH}/{invoice}"), 404, "not_found", "invoice_not_found")
    assert await has_file(files, account, invoice)
    clock.advance(3601)
    await Housekeeping(store, files, 3600.0, clock).run_round()
    assert not await has_file(files, account, invoice)


async def test_while_the_store_is_out_of_reach_nothing_is_deleted(
    client: httpx.AsyncClient, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoice = await complete_one(store, account)
    with monkeypatch.context() as patch:
        patch.setattr(store.erasure, "invoice", broken)
        answer = await client.delete(f"{PATH}/{invoice.id}")
    assert_error(answer, 503, "api_error", "service_unavailable")
    assert (await client.get(f"{PATH}/{invoice.id}")).status_code == 200


async def test_what_the_law_keeps_is_not_deleted(
    client: httpx.AsyncClient, store: Store, account: Account, clock: Clock
) -> None:
    await store.retention.set_rule(account.id, Retention(country="DE"))
    path = f"{PATH}/{(await complete_one(store, account)).id}"
    await client.patch(path, json={"paid": True})
    message = assert_error(await client.delete(path), 409, "invalid_request_error", "invoice_kept")
    assert "until 2036-12-31 (DE: § 147 AO)" in message
    # What is in no books goes at once.
    draft = await complete_one(store, account)
    assert (await client.delete(f"{PATH}/{draft.id}")).status_code == 204
    clock.now = NOON.replace(year=2037)
    assert (await client.delete(path)).status_code == 204
