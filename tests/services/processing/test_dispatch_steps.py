"""What a dispatcher does side by side fails or hangs alone: claiming documents, spreading events, repairing the
queue."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest

from serve_app.domain.account import Account
from serve_app.domain.clock import utc_now
from serve_app.domain.invoice import Extraction, Status
from serve_app.domain.record import InvoiceRecord
from serve_app.services.processing.dispatch import Dispatcher
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.support import claim_next, make_record, queue_invoice
from tests.support.databases import KINDS
from tests.support.until import until

STEPS = {"claim": "claim_due_invoices", "spread": "spread_pending", "repair": "repair"}


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def clock() -> Callable[[], datetime]:
    return utc_now


async def fails(*_: object) -> Any:
    raise OSError("gone")


async def hangs(*_: object) -> Any:
    await asyncio.Event().wait()


@pytest.fixture
def dispatcher(store: Store, settings: Settings) -> Dispatcher:
    async def process(claim: InvoiceRecord) -> None:
        await store.queue.save_result(claim, Extraction(), utc_now())

    return Dispatcher(store, process, settings)


@asynccontextmanager
async def running(dispatcher: Dispatcher) -> AsyncIterator[None]:
    """Stops it in the end, within seconds."""
    task = asyncio.create_task(dispatcher.run())
    await asyncio.sleep(0)
    try:
        yield
        async with asyncio.timeout(2):
            await dispatcher.stop()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def queued(store: Store, account: Account) -> InvoiceRecord:
    record = make_record(account.id, utc_now())
    await queue_invoice(store, record)
    return record


@pytest.mark.parametrize("failing", [fails, hangs])
@pytest.mark.parametrize("step", STEPS)
async def test_the_other_steps_go_on(
    dispatcher: Dispatcher,
    store: Store,
    account: Account,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    failing: Callable[..., Awaitable[Any]],
) -> None:
    done = await queued(store, account)
    await store.queue.save_result(await claim_next(store), Extraction(), utc_now())
    lost = await queued(store, account)
    await store.queue.claim_due_invoice(timedelta(seconds=0.1))
    new = await queued(store, account)

    async def is_logged() -> bool:
        return bool(await store.queue.finished_among([done.invoice.id]))

    async def is_repaired() -> bool:
        found = await store.invoices.find_record(account.id, lost.invoice.id)
        return found is not None and (found.lost_claims == 1 or found.invoice.is_finished)

    async def is_run() -> bool:
        found = await store.invoices.get(account.id, new.invoice.id)
        return found is not None and found.status is Status.COMPLETE

    monkeypatch.setattr(store.outbox if step == "spread" else store.queue, STEPS[step], failing)
    monkeypatch.setattr("serve_app.services.processing.dispatch._LAST_STEP_SECONDS", 0.2)
    async with running(dispatcher):
        for other, is_done in {"claim": is_run, "spread": is_logged, "repair": is_repaired}.items():
            if other != step:
                await until(is_done)


async def test_a_step_that_keeps_failing_is_logged_once_in_a_while(
    dispatcher: Dispatcher, store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    async def counted(*_: object) -> Any:
        nonlocal calls
        calls += 1
        raise OSError("gone")

    monkeypatch.setattr(store.queue, "repair", counted)

    async def is_called_often() -> bool:
        return calls > 5

    with caplog.at_level(logging.WARNING):
        async with running(dispatcher):
            await until(is_called_often)
    assert [record.message for record in caplog.records] == ["repairing the queue failed: OSError('gone')"]
