"""The rows are the queue: every document is run by one worker at a time, and none is forgotten."""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from itertools import chain
from multiprocessing import get_context
from uuid import UUID

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Failure, FailureCode, Status
from serve_app.domain.queue_state import Stage
from serve_app.domain.record import InvoiceRecord, Release
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.support import LEASE, MONTH, NOON, Clock, claim_next, newest_events, queue_new
from tests.support.databases import SHARED_KINDS

SLOTS = 8


async def add(store: Store, account: Account, count: int = 1) -> list[InvoiceRecord]:
    return [await queue_new(store, account.id, NOON - timedelta(seconds=count - i)) for i in range(count)]


async def test_the_oldest_is_claimed_first(store: Store, account: Account, clock: Clock) -> None:
    records = []
    for record in range(3):
        records.append(await queue_new(store, account.id))
        clock.advance(record)
    claimed = [(await claim_next(store)).invoice.id for _ in records]
    assert claimed == [record.invoice.id for record in records]


async def test_a_claim_makes_the_invoice_processing(store: Store, account: Account) -> None:
    await add(store, account)
    claimed = await claim_next(store)
    seen = await store.invoices.get(account.id, claimed.invoice.id)
    assert seen == claimed.invoice
    assert seen.status is Status.PROCESSING
    assert seen.updated_at == NOON
    assert (claimed.attempt, claimed.lost_claims, claimed.next_run_at) == (1, 0, NOON + LEASE)


async def test_nothing_is_claimed_twice_while_leased(store: Store, account: Account, clock: Clock) -> None:
    await add(store, account)
    await claim_next(store)
    clock.advance(LEASE.total_seconds() - 1)
    assert await store.queue.repair() == 0
    assert await store.queue.claim_due_invoice(LEASE) is None


async def test_a_lease_that_ran_out_makes_the_invoice_queued_again_and_counts(
    store: Store, account: Account, clock: Clock
) -> None:
    await add(store, account)
    first = await claim_next(store)
    clock.advance(LEASE.total_seconds())
    assert await store.queue.repair() == 1
    seen = await store.invoices.get(account.id, first.invoice.id)
    assert seen is not None
    assert seen.status is Status.QUEUED
    second = await claim_next(store)
    assert second.invoice.id == first.invoice.id
    assert second.attempt > first.attempt
    assert second.lost_claims == 1


async def test_a_renewed_lease_holds(store: Store, account: Account, clock: Clock) -> None:
    await add(store, account)
    claimed = await claim_next(store)
    clock.advance(LEASE.total_seconds() - 1)
    assert await store.queue.renew_lease(claimed, LEASE)
    clock.advance(LEASE.total_seconds() - 1)
    assert await store.queue.repair() == 0


@pytest.mark.parametrize("retaken", ["claimed", "queued"])
async def test_a_worker_that_lost_its_lease_changes_nothing(
    store: Store, account: Account, clock: Clock, retaken: str
) -> None:
    await add(store, account)
    old = await claim_next(store)
    clock.advance(LEASE.total_seconds())
    await store.queue.repair()
    if retaken == "claimed":
        await claim_next(store)
    before = await store.invoices.get(account.id, old.invoice.id)

    assert not await store.queue.renew_lease(old, LEASE)
    assert not await store.queue.release(old, timedelta(0), Release.CRASHED)
    assert await store.queue.save_result(old, Extraction(vendor_name="Late"), clock.now) is None
    failure = Failure(code=FailureCode.DOCUMENT_UNREADABLE, message="late")
    assert await store.queue.fail(old, failure, clock.now) is None

    assert await store.invoices.get(account.id, old.invoice.id) == before
    assert await newest_events(store, account.id) == []


@pytest.mark.parametrize(
    ("why", "lost_claims", "releases"),
    [(Release.HANDED_BACK, 0, 0), (Release.OUT_OF_REACH, 0, 1), (Release.CRASHED, 1, 0)],
)
async def test_a_released_claim_is_due_when_said_and_counts_as_what_it_was(
    store: Store, account: Account, clock: Clock, why: Release, lost_claims: int, releases: int
) -> None:
    await add(store, account)
    claimed = await claim_next(store)
    assert await store.queue.release(claimed, timedelta(seconds=5), why)
    seen = await store.invoices.get(account.id, claimed.invoice.id)
    assert seen is not None
    assert seen.status is Status.QUEUED
    assert await store.queue.claim_due_invoice(LEASE) is None
    clock.advance(5)
    again = await claim_next(store)
    assert (again.lost_claims, again.releases, again.attempt) == (lost_claims, releases, 2)


async def test_a_finished_invoice_is_never_claimed_again(store: Store, account: Account, clock: Clock) -> None:
    await add(store, account)
    await store.queue.save_result(await claim_next(store), Extraction(), NOON)
    clock.advance(9 * 86400)
    assert await store.queue.repair() == 0
    assert await store.queue.claim_due_invoice(LEASE) is None


async def test_an_account_runs_no_more_than_its_slots_allow(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    await add(store, account, 3 * SLOTS)
    stores = [store, open_again()]
    found = await asyncio.gather(*(stores[i % 2].queue.claim_due_invoice(LEASE) for i in range(3 * SLOTS)))
    claims = [claim for claim in found if claim is not None]
    assert len(claims) == SLOTS
    await store.queue.save_result(claims[0], Extraction(), NOON)
    await store.queue.fail(claims[1], Failure(code=FailureCode.NO_TEXT_FOUND, message="-"), NOON)
    # A claim that is given back keeps its slot.
    await store.queue.release(claims[2], timedelta(0), Release.HANDED_BACK)
    assert [await store.queue.claim_due_invoice(LEASE) is not None for _ in range(4)] == [True] * 3 + [False]


async def test_every_document_of_a_heap_has_its_turn(store: Store, account: Account) -> None:
    records = await add(store, account, 3 * SLOTS)
    done = []
    while claim := await store.queue.claim_due_invoice(LEASE):
        await store.queue.save_result(claim, Extraction(), NOON)
        done.append(claim.invoice.id)
    assert sorted(done) == [record.invoice.id for record in records]


async def test_a_heap_of_one_account_does_not_keep_another_waiting(
    store: Store, account: Account, clock: Clock
) -> None:
    await add(store, account, 60)
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    running = [await claim_next(store) for _ in range(3)]
    clock.advance(1)
    await queue_new(store, other.id, clock.now)
    order: list[UUID] = []
    while other.id not in order:
        await store.queue.save_result(running.pop(0), Extraction(), NOON)
        running.append(await claim_next(store))
        order.append(running[-1].account_id)
    assert len(order) <= 3


async def test_a_heap_does_not_starve_however_many_others_come(store: Store, account: Account, clock: Clock) -> None:
    await add(store, account, 2)
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    owners = []
    for _ in range(20):
        clock.advance(1)
        await queue_new(store, other.id, clock.now)
        claim = await claim_next(store)
        await store.queue.save_result(claim, Extraction(), NOON)
        owners.append(claim.account_id)
    assert owners.count(account.id) == 2


async def test_a_clock_that_is_set_back_stops_nothing(store: Store, account: Account, clock: Clock) -> None:
    await add(store, account, 3)
    await claim_next(store)
    await store.queue.release(await claim_next(store), timedelta(minutes=10), Release.OUT_OF_REACH)
    clock.advance(-3600)
    # The third is as due as it was; the lease and the delay of the others cannot be meant to last an hour.
    await claim_next(store)
    assert await store.queue.repair() == 2
    assert len({(await claim_next(store)).invoice.id for _ in range(2)}) == 2


async def test_several_are_claimed_together_in_the_order_of_their_turns(store: Store, account: Account) -> None:
    records = [await queue_new(store, account.id) for _ in range(3)]
    claims = await store.queue.claim_due_invoices(LEASE, 2)
    claims += await store.queue.claim_due_invoices(LEASE, 2)
    assert [claim.invoice.id for claim in claims] == [record.invoice.id for record in records]
    assert {(claim.attempt, claim.invoice.status) for claim in claims} == {(1, Status.PROCESSING)}
    assert await store.queue.claim_due_invoices(LEASE, 2) == []


async def test_many_connections_never_claim_a_row_twice(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    records = await add(store, account, 40)
    stores = [store, *(open_again() for _ in range(3))]
    claimed = await asyncio.gather(*(_run_all(store) for store in stores for _ in range(4)))
    counts = Counter(chain.from_iterable(claimed))
    assert counts == {str(record.invoice.id): 1 for record in records}


class TestManyProcesses:
    """Needs a database that several processes can open."""

    @pytest.fixture(params=SHARED_KINDS)
    def store_kind(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    @pytest.mark.slow
    async def test_never_claim_a_row_twice(self, store: Store, account: Account, settings: Settings) -> None:
        records = await add(store, account, 60)
        with ProcessPoolExecutor(3, mp_context=get_context("spawn")) as pool:
            loop = asyncio.get_running_loop()
            claimed = await asyncio.gather(*(loop.run_in_executor(pool, _run_all_here, settings) for _ in range(3)))
        counts = Counter(chain.from_iterable(claimed))
        assert counts == {str(record.invoice.id): 1 for record in records}


def _run_all_here(settings: Settings) -> list[str]:
    from serve_app.store.factory import open_store

    async def work() -> list[str]:
        store = open_store(settings)
        try:
            return await _run_all(store)
        finally:
            await store.connection.close()

    return asyncio.run(work())


async def _run_all(store: Store) -> list[str]:
    """Runs whatever is due to its end; the ids of all."""
    claimed = []
    while record := await store.queue.claim_due_invoice(LEASE):
        claimed.append(str(record.invoice.id))
        await store.queue.save_result(record, Extraction(), NOON)
    return claimed


async def test_a_run_shows_how_far_it_is(store: Store, account: Account) -> None:
    waiting = await queue_new(store, account.id)
    ids = [waiting.invoice.id]
    assert await store.queue.stages(account.id, ids) == {}
    claim = await claim_next(store)
    assert await store.queue.stages(account.id, ids) == {claim.invoice.id: Stage.READING}
    await store.queue.note_models(claim)
    assert await store.queue.stages(account.id, ids) == {claim.invoice.id: Stage.MODELS}
    assert await store.queue.stages(new_id(), ids) == {}
    # Another run begins at the beginning, and what the first one still says is not heard.
    assert await store.queue.release(claim, timedelta(0), Release.HANDED_BACK)
    again = await claim_next(store)
    await store.queue.note_models(claim)
    assert await store.queue.stages(account.id, [again.invoice.id]) == {again.invoice.id: Stage.READING}
    await store.queue.save_result(again, Extraction(), NOON)
    assert again.invoice.id not in await store.queue.stages(account.id, ids)


async def test_the_pair_of_models_stays_that_of_the_run(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    lost = await claim_next(store)
    assert lost.pair is None
    await store.queue.note_pair(lost, "candidate")
    assert await store.queue.release(lost, timedelta(0), Release.OUT_OF_REACH)
    again = await claim_next(store)
    # What a run says that has lost its claim is not heard.
    await store.queue.note_pair(lost, "other")
    assert again.pair == "candidate"
    done = await store.queue.save_result(again, Extraction(), NOON)
    assert done is not None
    # Another reading is another run.
    assert await store.intake.rerun(done, account.id, MONTH, None) is not None
    assert (await claim_next(store)).pair is None
