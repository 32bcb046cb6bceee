"""A process that is killed in the middle of its work leaves nothing half-written and loses nothing it confirmed."""

import asyncio
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.clock import utc_now
from serve_app.domain.invoice import Extraction
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store
from tests.support import LEASE, MONTH, NOON, Clock, newest_events, queue_new
from tests.support.databases import SHARED_KINDS

pytestmark = pytest.mark.slow


@pytest.fixture(params=SHARED_KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def test_killed_in_mid_write(store: Store, account: Account, settings: Settings, clock: Clock) -> None:
    confirmed = await asyncio.to_thread(_work_and_be_killed, settings, account.id)
    assert len(confirmed) >= 20
    # Leases are over, and what the dead process had to itself for a while is anybody's.
    clock.now = utc_now() + 2 * LEASE
    reported = [event.data.invoice.id for event in await newest_events(store, account.id)]
    assert confirmed <= set(reported)

    for reservation in await store.intake.stale(clock.now, 100):
        await store.intake.cancel(reservation)
    await store.queue.repair()
    left = []
    while claim := await store.queue.claim_due_invoice(LEASE):
        left.append(claim.invoice.id)
        await store.queue.save_result(claim, Extraction(), NOON)
    # Every unit of the quota has its invoice, every invoice was either finished and told once, or was still to be run.
    assert len(set(left) | set(reported)) == len(left) + len(reported) == await store.quotas.used(account.id, MONTH)


def _work_and_be_killed(settings: Settings, account_id: UUID) -> set[UUID]:
    """Lets a process work until it has confirmed some invoices, kills it, and returns the confirmed ones."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    worker = context.Process(target=_work, args=(settings, account_id, theirs))
    worker.start()
    theirs.close()
    confirmed = {ours.recv() for _ in range(20)}
    worker.kill()
    worker.join()
    try:
        while True:
            confirmed.add(ours.recv())
    except (EOFError, OSError):
        return confirmed
    finally:
        ours.close()
        worker.close()


def _work(settings: Settings, account_id: UUID, confirm: "Connection[UUID, UUID]") -> None:
    async def work() -> None:
        store = open_store(settings)
        for _ in count():
            await queue_new(store, account_id)
            claim = await store.queue.claim_due_invoice(LEASE)
            if claim is not None and await store.queue.save_result(claim, Extraction(), NOON):
                confirm.send(claim.invoice.id)

    asyncio.run(work())
