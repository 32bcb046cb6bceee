"""The rows are the queue: every document is run by one worker at a time, and none is forgotten."""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from itertools import chain
from multiprocessing import get_context

import pytest

from serve_app.domain.account import Account
from serve_app.domain.invoice import Extraction, Failure, FailureCode, Status
from serve_app.domain.record import InvoiceRecord, Release
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store
from tests.support import LEASE, MONTH, NOON, make_record

LATER = NOON + LEASE


async def add(store: Store, account: Account, count: int = 1) -> list[InvoiceRecord]:
    records = [make_record(account.id, NOON - timedelta(seconds=count - i)) for i in range(count)]
    for record in records:
        await store.invoices.add(record, MONTH, None)
    return records


async def claim(store: Store) -> InvoiceRecord:
    claimed = await store.invoices.claim_due_invoice(NOON, NOON + LEASE)
    assert claimed is not None
    return claimed


async def test_the_oldest_is_claimed_first(store: Store, account: Account) -> None:
    records = await add(store, account, 3)
    claimed = [(await claim(store)).invoice.id for _ in records]
    assert claimed == [record.invoice.id for record in records]


async def test_a_claim_makes_the_invoice_processing(store: Store, account: Account) -> None:
    await add(store, account)
    claimed = await claim(store)
    seen = await store.invoices.get(account.id, claimed.invoice.id)
    assert seen == claimed.invoice
    assert seen.status is Status.PROCESSING
    assert seen.updated_at == NOON
    assert (claimed.attempt, claimed.lost_claims, claimed.next_run_at) == (1, 0, NOON + LEASE)


async def test_nothing_is_claimed_before_it_is_due_nor_while_leased(store: Store, account: Account) -> None:
    (record,) = await add(store, account)
    early = record.invoice.created_at - timedelta(seconds=1)
    assert await store.invoices.claim_due_invoice(early, LATER) is None
    await claim(store)
    assert await store.invoices.claim_due_invoice(NOON, LATER) is None


async def test_a_lease_that_ran_out_is_claimable_again_and_counts(store: Store, account: Account) -> None:
    await add(store, account)
    first = await claim(store)
    second = await store.invoices.claim_due_invoice(LATER, LATER + LEASE)
    assert second is not None
    assert second.invoice.id == first.invoice.id
    assert (second.attempt, second.lost_claims) == (2, 1)


async def test_a_renewed_lease_holds(store: Store, account: Account) -> None:
    await add(store, account)
    claimed = await claim(store)
    assert await store.invoices.renew_lease(claimed, LATER + LEASE)
    assert await store.invoices.claim_due_invoice(LATER, LATER + LEASE) is None


async def test_a_lost_claim_makes_the_invoice_queued_again(store: Store, account: Account) -> None:
    await add(store, account)
    claimed = await claim(store)
    assert await store.invoices.requeue_lost_claims(NOON) == 0
    assert await store.invoices.requeue_lost_claims(LATER) == 1
    seen = await store.invoices.get(account.id, claimed.invoice.id)
    assert seen is not None
    assert seen.status is Status.QUEUED
    again = await store.invoices.claim_due_invoice(LATER, LATER + LEASE)
    assert again is not None
    assert again.lost_claims == 1


@pytest.mark.parametrize("retaken", ["claimed", "requeued"])
async def test_a_worker_that_lost_its_lease_changes_nothing(store: Store, account: Account, retaken: str) -> None:
    await add(store, account)
    old = await claim(store)
    if retaken == "claimed":
        await store.invoices.claim_due_invoice(LATER, LATER + LEASE)
    else:
        await store.invoices.requeue_lost_claims(LATER)
    before = await store.invoices.get(account.id, old.invoice.id)

    assert not await store.invoices.renew_lease(old, LATER + 9 * LEASE)
    assert not await store.invoices.release(old, LATER, Release.CRASHED)
    assert await store.invoices.save_result(old, Extraction(vendor_name="Late"), LATER) is None
    failure = Failure(code=FailureCode.DOCUMENT_UNREADABLE, message="late")
    assert await store.invoices.fail(old, failure, LATER) is None

    assert await store.invoices.get(account.id, old.invoice.id) == before
    await store.events.spread_pending(10)
    assert await store.events.newest(account.id, 10) == []


@pytest.mark.parametrize(
    ("why", "lost_claims", "releases"),
    [(Release.HANDED_BACK, 0, 0), (Release.OUT_OF_REACH, 0, 1), (Release.CRASHED, 1, 0)],
)
async def test_a_released_claim_is_due_when_said_and_counts_as_what_it_was(
    store: Store, account: Account, why: Release, lost_claims: int, releases: int
) -> None:
    await add(store, account)
    claimed = await claim(store)
    assert await store.invoices.release(claimed, NOON + timedelta(seconds=5), why)
    seen = await store.invoices.get(account.id, claimed.invoice.id)
    assert seen is not None
    assert seen.status is Status.QUEUED
    assert await store.invoices.claim_due_invoice(NOON, LATER) is None
    again = await store.invoices.claim_due_invoice(NOON + timedelta(seconds=5), LATER)
    assert again is not None
    assert (again.lost_claims, again.releases, again.attempt) == (lost_claims, releases, 2)


async def test_a_finished_invoice_is_never_claimed_again(store: Store, account: Account) -> None:
    await add(store, account)
    await store.invoices.save_result(await claim(store), Extraction(), NOON)
    assert await store.invoices.claim_due_invoice(NOON + timedelta(days=9), NOON + timedelta(days=10)) is None


async def test_many_connections_never_claim_a_row_twice(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    records = await add(store, account, 40)
    stores = [store, *(open_again() for _ in range(3))]
    claimed = await asyncio.gather(*(_claim_all(one) for one in stores for _ in range(4)))
    counts = Counter(chain.from_iterable(claimed))
    assert counts == {str(record.invoice.id): 1 for record in records}


@pytest.mark.slow
async def test_many_processes_never_claim_a_row_twice(store: Store, account: Account, settings: Settings) -> None:
    records = await add(store, account, 60)
    with ProcessPoolExecutor(3, mp_context=get_context("spawn")) as pool:
        loop = asyncio.get_running_loop()
        claimed = await asyncio.gather(*(loop.run_in_executor(pool, _claim_all_here, settings) for _ in range(3)))
    counts = Counter(chain.from_iterable(claimed))
    assert counts == {str(record.invoice.id): 1 for record in records}


def _claim_all_here(settings: Settings) -> list[str]:
    async def work() -> list[str]:
        store = open_store(settings)
        try:
            return await _claim_all(store)
        finally:
            await store.connection.close()

    return asyncio.run(work())


async def _claim_all(store: Store) -> list[str]:
    claimed = []
    while record := await store.invoices.claim_due_invoice(NOON, LATER):
        claimed.append(str(record.invoice.id))
    return claimed
