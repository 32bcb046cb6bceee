"""Due documents are run, a limited number at a time, whatever happens."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from serve_app.documents.packing import pack
from serve_app.domain.account import Account
from serve_app.domain.clock import utc_now
from serve_app.domain.document import Document
from serve_app.domain.invoice import Extraction, Status
from serve_app.domain.packed import PagesRead
from serve_app.domain.record import InvoiceRecord
from serve_app.services.ports import Pages
from serve_app.services.processing.dispatch import Dispatcher
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.dispatcher import build_dispatcher
from tests.store.hooks import add_endpoint
from tests.support import (
    DOCUMENT,
    LEASE,
    FakeNotifier,
    FakeReader,
    claim_next,
    interpreting,
    make_record,
    newest_events,
    queue_invoice,
)
from tests.support.until import until

Start = Callable[..., Dispatcher]


@pytest.fixture
def clock() -> Callable[[], datetime]:
    return utc_now


@pytest.fixture
async def start(store: Store, files: Files, settings: Settings) -> AsyncIterator[Start]:
    """Starts a dispatcher with the given reader, or with the given process; all are stopped at the end."""
    started: list[tuple[Dispatcher, asyncio.Task[None]]] = []

    def start_one(
        reader: FakeReader | None = None,
        process: Callable[[InvoiceRecord], Awaitable[None]] | None = None,
        **changes: float,
    ) -> Dispatcher:
        chosen = settings.model_copy(update=changes)
        if process is not None:
            dispatcher = Dispatcher(store, process, chosen)
        else:
            dispatcher = build_dispatcher(store, files, reader or FakeReader(), interpreting(), chosen)
        started.append((dispatcher, asyncio.create_task(dispatcher.run())))
        return dispatcher

    yield start_one
    for dispatcher, task in started:
        await dispatcher.stop()
        await task


async def submit(store: Store, account: Account, count: int = 1) -> list[InvoiceRecord]:
    records = [make_record(account.id, utc_now()) for _ in range(count)]
    for record in records:
        await queue_invoice(store, record)
    return records


async def all_finished(store: Store, records: list[InvoiceRecord]) -> bool:
    ids = {record.invoice.id for record in records}
    return await store.queue.finished_among(ids) == ids


async def test_every_document_is_run_once_and_reported_once(store: Store, account: Account, start: Start) -> None:
    reader = FakeReader()
    records = await submit(store, account, 12)
    start(reader)
    start(reader)
    await until(lambda: all_finished(store, records))
    assert sorted(reader.keys) == sorted(record.file_key for record in records)

    async def all_reported() -> bool:
        return len(await newest_events(store, account.id)) == 12

    await until(all_reported)


async def test_a_wake_up_is_faster_than_polling(store: Store, account: Account, start: Start) -> None:
    dispatcher = start(poll_seconds=30.0)
    await asyncio.sleep(0.05)
    records = await submit(store, account)
    dispatcher.wake()
    await until(lambda: all_finished(store, records))


@pytest.mark.parametrize("has_endpoint", [True, False])
async def test_delivery_is_woken_only_if_there_is_something_to_deliver(
    store: Store, files: Files, account: Account, settings: Settings, has_endpoint: bool
) -> None:
    has_ended = asyncio.Event()
    delivery, held_calls = FakeNotifier(), FakeNotifier(has_ended.set)
    dispatcher = build_dispatcher(
        store, files, FakeReader(), interpreting(), settings, delivery=delivery, held_calls=held_calls
    )
    if has_endpoint:
        await add_endpoint(store, account)
    await submit(store, account)
    run = asyncio.create_task(dispatcher.run())
    await asyncio.wait_for(has_ended.wait(), 5)
    await dispatcher.stop()
    await run
    assert (delivery.calls > 0) == has_endpoint


async def test_without_a_wake_up_polling_finds_it(store: Store, account: Account, start: Start) -> None:
    start()
    await asyncio.sleep(0.05)
    records = await submit(store, account)
    await until(lambda: all_finished(store, records))


async def test_no_more_than_so_many_run_at_a_time(store: Store, account: Account, start: Start) -> None:
    peak = 0

    async def watch() -> None:
        nonlocal peak
        peak = max(peak, dispatcher.running)
        await asyncio.sleep(0.02)

    records = await submit(store, account, 9)
    dispatcher = start(FakeReader(before=watch), max_running=3)
    await until(lambda: all_finished(store, records))
    assert peak == 3


async def test_a_long_document_takes_no_place(store: Store, account: Account, start: Start) -> None:
    long, short = await submit(store, account, 2)
    free = asyncio.Event()

    class Slow(FakeReader):
        async def read(
            self, file_key: str, part: Pages | None = None, numbers: tuple[int, ...] | None = None, delay: float = 0.0
        ) -> PagesRead:
            if numbers is not None:
                await free.wait()
            pages = [replace(DOCUMENT.pages[0], number=number) for number in numbers or (1,)]
            return PagesRead(2 if file_key == long.file_key else 1, pack(Document(tuple(pages))))

    start(Slow(), max_running=1)
    await until(lambda: all_finished(store, [short]))
    free.set()
    await until(lambda: all_finished(store, [long]))


async def test_a_dead_workers_document_is_queued_then_run(store: Store, account: Account, start: Start) -> None:
    records = await submit(store, account)
    await store.queue.claim_due_invoice(timedelta(seconds=0.1))
    start()
    await until(lambda: all_finished(store, records))


async def test_a_lost_lease_shows_as_queued_even_when_all_hands_are_busy(
    store: Store, account: Account, start: Start
) -> None:
    lost, _busy = await submit(store, account, 2)
    await store.queue.claim_due_invoice(timedelta(seconds=0.2))
    start(process=lambda claim: asyncio.sleep(30), max_running=1)

    async def queued() -> bool:
        seen = await store.invoices.get(account.id, lost.invoice.id)
        return seen is not None and seen.status is Status.QUEUED

    await until(queued)


async def test_a_broken_run_does_not_stop_the_others(store: Store, account: Account, start: Start) -> None:
    async def process(claim: InvoiceRecord) -> None:
        if claim.invoice.id == records[0].invoice.id:
            raise RuntimeError("broken")
        await store.queue.save_result(claim, Extraction(), utc_now())

    records = await submit(store, account, 3)
    start(process=process)
    await until(lambda: all_finished(store, records[1:]))


async def test_errors_of_the_store_are_outlived(
    store: Store, account: Account, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim, left = store.queue.claim_due_invoices, [OSError("gone")] * 3

    async def flaky(*_: object) -> list[InvoiceRecord]:
        if left:
            raise left.pop()
        return await claim(LEASE, 1)

    monkeypatch.setattr(store.queue, "claim_due_invoices", flaky)
    records = await submit(store, account)
    start()
    await until(lambda: all_finished(store, records))


async def test_stopping_lets_runs_finish_and_hands_back_the_rest(store: Store, account: Account, start: Start) -> None:
    quick, slow = await submit(store, account, 2)
    delays = {quick.file_key: 0.2, slow.file_key: 30.0}

    class Reader(FakeReader):
        async def read(
            self, file_key: str, part: Pages | None = None, numbers: tuple[int, ...] | None = None, delay: float = 0.0
        ) -> PagesRead:
            await asyncio.sleep(delays[file_key])
            return PagesRead(1, pack(self.document))

    dispatcher = start(Reader(), stop_seconds=1.0)

    async def both_run() -> bool:
        return dispatcher.running == 2

    await until(both_run)
    started = time.monotonic()
    await dispatcher.stop()
    assert time.monotonic() - started < 5
    assert dispatcher.running == 0
    assert await store.queue.finished_among([quick.invoice.id, slow.invoice.id]) == {quick.invoice.id}
    assert len(await newest_events(store, account.id)) == 1
    again = await claim_next(store)
    assert (again.invoice.id, again.lost_claims) == (slow.invoice.id, 0)
