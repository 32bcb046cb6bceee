"""A key stands for one invoice, whoever dies or hangs up on the way."""

import asyncio
import json
from collections.abc import Callable, Collection, Coroutine
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import OutcomeUnknown, RequestInFlight, ServiceError, StoreUnreachable, Unavailable
from serve_app.domain.idempotency import IN_FLIGHT, IdempotencyRecord
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import FileInfo, Invoice, Source
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.record import InvoiceRecord, new_record
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.accounts.usage import UsageService
from serve_app.services.intake.create import InvoiceCreation, SubmissionPermit
from serve_app.services.intake.created import Created
from serve_app.services.intake.submit import DocumentIntake, Upload
from serve_app.services.intake.wait import WaitForInvoice
from serve_app.services.tasks.wake import Wake
from serve_app.services.upkeep.housekeeping import end_reservation
from serve_app.store.base import Files, Store
from tests.services.intake.creating import Answer, ReadsUpload, answer_to_create, hang_up
from tests.support import MONTH, NOON, PDF_BYTES, Clock, FakeNotifier, make_record
from tests.support.databases import KINDS

KEY = "order 7"
Create = Callable[..., Coroutine[Any, Any, Answer]]


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def service(store: Store, files: Files, clock: Clock) -> InvoiceCreation:
    intake = DocumentIntake(
        store.intake, MonthlyLimits(UsageService(store.quotas)), files, Wake(FakeNotifier()), max_bytes=100, clock=clock
    )
    wait = WaitForInvoice(store.queue, max_held=10, poll_seconds=0.01)
    return InvoiceCreation(intake, wait, store.invoices, store.idempotency, wait_seconds=30, clock=clock)


@pytest.fixture
def create(service: InvoiceCreation, account: Account) -> Create:
    async def upload() -> Upload:
        return Upload(PDF_BYTES, "a.pdf", Source.API)

    async def create(source: ReadsUpload = upload, *, wait: bool = False) -> Answer:
        return await answer_to_create(service, account, source, key=KEY, wait=wait)

    return create


async def held(store: Store, account: Account) -> IdempotencyRecord:
    """The key, held by a request that has died."""
    record = IdempotencyRecord(account.id, KEY, new_id(), new_id(), created_at=NOON, held_since=NOON)
    return await store.idempotency.hold(record)


def record_of(key: IdempotencyRecord) -> InvoiceRecord:
    file = FileInfo(name="a.pdf", mime_type="application/pdf", size_bytes=5)
    invoice = Invoice(id=key.invoice_id, source=Source.API, created_at=NOON, updated_at=NOON, file=file)
    return new_record(invoice, key.account_id)


async def invoices_of(store: Store, account: Account) -> list[Invoice]:
    return list((await store.invoices.page(account.id, InvoiceQuery(), 1000)).items)


async def assert_one_invoice(store: Store, account: Account, clock: Clock, id: str) -> None:
    """One invoice and its unit, and nothing that is left to tidy up."""
    assert [str(invoice.id) for invoice in await invoices_of(store, account)] == [id]
    assert await store.quotas.used(account.id, MONTH) == 1
    assert await store.intake.stale(clock.now + timedelta(days=1), 10) == []


@pytest.mark.parametrize("has_written", [False, True])
async def test_what_a_request_left_that_died_while_it_took_the_document_in_is_taken_over(
    create: Create, store: Store, files: Files, account: Account, clock: Clock, has_written: bool
) -> None:
    key = await held(store, account)
    record = record_of(key)
    await store.intake.reserve(record, MONTH, 10)
    if has_written:
        await files.write(record.file_key, b"%PDF-")
    clock.advance(IN_FLIGHT.total_seconds())
    created = await create()
    assert (created.status, created.invoice_id) == (202, str(key.invoice_id))
    await assert_one_invoice(store, account, clock, str(key.invoice_id))
    assert await files.read(record.file_key) == PDF_BYTES
    assert (await create()).body == created.body


async def test_the_unit_of_a_dead_request_is_enough_for_its_repetition(
    create: Create, store: Store, account: Account, clock: Clock
) -> None:
    for _ in range(9):
        await store.intake.reserve(make_record(account.id), MONTH, 10)
    await store.intake.reserve(record_of(await held(store, account)), MONTH, 10)
    clock.advance(IN_FLIGHT.total_seconds())
    assert (await create()).status == 202
    assert await store.quotas.used(account.id, MONTH) == 10


@pytest.mark.parametrize("moment", ["reserve", "write", "add"])
async def test_a_request_that_was_only_slow_and_its_repetition_make_one_invoice(
    create: Create,
    store: Store,
    files: Files,
    account: Account,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
) -> None:
    place: Any = files if moment == "write" else store.intake
    step, reached, go = getattr(place, moment), asyncio.Event(), asyncio.Event()

    async def slow(*arguments: Any) -> Any:
        if not reached.is_set():
            reached.set()
            await go.wait()
        return await step(*arguments)

    monkeypatch.setattr(place, moment, slow)
    first = asyncio.create_task(create())
    await reached.wait()
    clock.advance(IN_FLIGHT.total_seconds())
    again = await create()
    go.set()
    assert (await first).invoice_id == again.invoice_id
    await assert_one_invoice(store, account, clock, again.invoice_id)
    assert await files.read(f"{account.id}/{again.invoice_id}") == PDF_BYTES


async def test_a_slow_request_that_fails_leaves_its_repetition_alone(
    create: Create, store: Store, files: Files, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, reached, go = files.write, asyncio.Event(), asyncio.Event()

    async def slow(key: str, data: bytes) -> None:
        reached.set()
        await go.wait()
        raise StoreUnreachable

    monkeypatch.setattr(files, "write", slow)
    first = asyncio.create_task(create())
    await reached.wait()
    clock.advance(IN_FLIGHT.total_seconds())

    async def fails_meanwhile(key: str, data: bytes) -> None:
        await write(key, data)
        go.set()
        with pytest.raises(ServiceError):
            await first

    monkeypatch.setattr(files, "write", fails_meanwhile)
    again = await create()
    await assert_one_invoice(store, account, clock, again.invoice_id)
    assert await files.read(f"{account.id}/{again.invoice_id}") == PDF_BYTES


async def test_a_repetition_gets_the_invoice_at_once_when_the_first_caller_hung_up(
    create: Create, store: Store, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, is_held = store.queue.finished_among, asyncio.Event()

    async def finished_among(ids: Collection[UUID]) -> set[UUID]:
        is_held.set()
        return await look(ids)

    monkeypatch.setattr(store.queue, "finished_among", finished_among)
    call = asyncio.create_task(create(wait=True))
    await is_held.wait()
    with pytest.raises(RequestInFlight):
        await create(wait=True)
    await hang_up(call)
    again = await create(wait=True)
    assert (again.status, again.is_replayed) == (202, True)
    await assert_one_invoice(store, account, clock, again.invoice_id)


@pytest.mark.parametrize("wait", [False, True])
@pytest.mark.parametrize("moment", ["reserve", "write", "add"])
async def test_a_call_hung_up_on_while_the_document_is_taken_in_is_answered_when_it_is(
    create: Create,
    store: Store,
    files: Files,
    account: Account,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
    wait: bool,
) -> None:
    place: Any = files if moment == "write" else store.intake
    step, reached, go = getattr(place, moment), asyncio.Event(), asyncio.Event()

    async def slow(*arguments: Any) -> Any:
        reached.set()
        await go.wait()
        return await step(*arguments)

    monkeypatch.setattr(place, moment, slow)
    call = asyncio.create_task(create(wait=wait))
    await reached.wait()
    call.cancel()
    await asyncio.sleep(0)
    with pytest.raises(RequestInFlight):
        await create()
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await call
    again = await create()
    assert (again.status, again.is_replayed) == (202, True)
    await assert_one_invoice(store, account, clock, again.invoice_id)


async def test_a_call_hung_up_on_that_fails_releases_its_key(
    create: Create, store: Store, files: Files, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, go = asyncio.Event(), asyncio.Event()

    async def broken(key: str, data: bytes) -> None:
        reached.set()
        await go.wait()
        raise StoreUnreachable

    with monkeypatch.context() as patch:
        patch.setattr(files, "write", broken)
        call = asyncio.create_task(create())
        await reached.wait()
        call.cancel()
        go.set()
        with pytest.raises(asyncio.CancelledError):
            await call
    again = await create()
    assert not again.is_replayed
    # The bytes that were not written may yet arrive; housekeeping waits for them.
    for reservation in await store.intake.stale(clock.now + timedelta(days=1), 10):
        await end_reservation(reservation, store.intake, files)
    await assert_one_invoice(store, account, clock, again.invoice_id)


async def test_who_hangs_up_before_the_document_is_there_can_send_it_again_at_once(
    create: Create, store: Store, account: Account, clock: Clock
) -> None:
    reached = asyncio.Event()

    async def half() -> Upload:
        reached.set()
        await asyncio.Event().wait()
        raise AssertionError

    call = asyncio.create_task(create(half))
    await reached.wait()
    await hang_up(call)
    again = await create()
    assert not again.is_replayed
    await assert_one_invoice(store, account, clock, again.invoice_id)


async def test_the_document_is_not_asked_for_where_an_answer_is_replayed(
    create: Create, store: Store, account: Account, clock: Clock
) -> None:
    async def unwanted() -> Upload:
        raise AssertionError

    key = await held(store, account)
    with pytest.raises(ServiceError):
        await create(unwanted)
    record = record_of(key)
    await store.intake.reserve(record, MONTH, 10)
    await store.intake.add(record)
    clock.advance(IN_FLIGHT.total_seconds())
    for _ in range(2):
        created = await create(unwanted)
        assert (created.invoice_id, created.is_replayed) == (str(key.invoice_id), True)


async def test_a_look_that_fails_does_not_let_the_invoice_be_made_twice(
    create: Create, store: Store, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = await held(store, account)
    record = record_of(key)
    await store.intake.reserve(record, MONTH, 10)
    await store.intake.add(record)

    async def broken(*ids: Any) -> Any:
        raise StoreUnreachable

    for _ in range(2):
        clock.advance(IN_FLIGHT.total_seconds())
        with monkeypatch.context() as patch:
            patch.setattr(store.invoices, "get", broken)
            with pytest.raises(Unavailable):
                await create()
    clock.advance(IN_FLIGHT.total_seconds())
    assert (await create()).invoice_id == str(key.invoice_id)
    await assert_one_invoice(store, account, clock, str(key.invoice_id))


@pytest.mark.parametrize("is_queued", [True, False])
async def test_what_may_have_been_queued_is_not_made_twice(
    create: Create, store: Store, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch, is_queued: bool
) -> None:
    """The storage becomes unreachable during the last write, whose answer is lost, and is back for the next call."""
    really_add = store.intake.add

    async def add(record: InvoiceRecord) -> None:
        if is_queued:
            await really_add(record)
        raise StoreUnreachable

    async def broken(*_: object) -> Any:
        raise StoreUnreachable

    with monkeypatch.context() as patch:
        patch.setattr(store.intake, "add", add)
        for name in ("give_up", "has_invoice"):
            patch.setattr(store.intake, name, broken)
        with pytest.raises(OutcomeUnknown) as caught:
            await create()
        assert "may have been made" in caught.value.message
        assert "Idempotency-Key" in caught.value.message
    with pytest.raises(RequestInFlight):
        await create()
    clock.advance(IN_FLIGHT.total_seconds())
    created = await create()
    assert created.is_replayed == is_queued
    await assert_one_invoice(store, account, clock, created.invoice_id)


async def test_a_key_whose_hold_was_not_answered_can_be_used_at_once(
    create: Create, store: Store, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_hold = store.idempotency.hold

    async def hold(record: IdempotencyRecord) -> IdempotencyRecord:
        await really_hold(record)
        raise OutcomeUnknown

    with monkeypatch.context() as patch:
        patch.setattr(store.idempotency, "hold", hold)
        with pytest.raises(OutcomeUnknown):
            await create()
    await asyncio.sleep(0.1)
    created = await create()
    assert not created.is_replayed
    await assert_one_invoice(store, account, clock, created.invoice_id)


@pytest.mark.parametrize("step", ["reserve", "add"])
async def test_a_503_says_that_nothing_was_changed_where_that_is_certain(
    create: Create, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    async def broken(*_: object) -> Any:
        raise OutcomeUnknown

    monkeypatch.setattr(store.intake, step, broken)
    with pytest.raises(ServiceError, match="Nothing was changed"):
        await create()
    assert await invoices_of(store, account) == []


async def test_a_queueing_that_failed_for_certain_releases_the_key(
    create: Create, store: Store, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(record: InvoiceRecord) -> None:
        raise StoreUnreachable

    with monkeypatch.context() as patch:
        patch.setattr(store.intake, "add", broken)
        with pytest.raises(ServiceError):
            await create()
    created = await create()
    assert not created.is_replayed
    await assert_one_invoice(store, account, clock, created.invoice_id)


async def test_waiting_in_vain_is_reported_beside_the_invoice(account: Account) -> None:
    invoice = record_of(IdempotencyRecord(account.id, KEY, new_id(), new_id(), NOON, NOON)).invoice
    answer = Created(invoice, has_waited=True).answer
    assert answer.status == 202
    assert json.loads(answer.body) == {**json.loads(invoice.model_dump_json()), "wait_timed_out": True}
    # The text of the invoice itself is the same to the byte.
    assert answer.body.startswith(invoice.model_dump_json()[:-1] + ",")


async def test_the_id_is_made_once(service: InvoiceCreation, account: Account) -> None:
    for key in (None, KEY):
        permit = await service.begin(account, key)
        assert isinstance(permit, SubmissionPermit)
        created = await service.accept(permit, Upload(PDF_BYTES, "a.pdf", Source.API), wait=False)
        assert created.invoice.id == permit.invoice_id
