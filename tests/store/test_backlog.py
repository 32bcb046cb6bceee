"""What waits and what runs is counted by account, state and kind."""

from dataclasses import replace
from datetime import timedelta

from serve_app.domain.account import Account, Plan
from serve_app.domain.backlog import Backlog, Share
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Failure, FailureCode, Status
from serve_app.domain.load import Load, PageKind
from serve_app.domain.record import Release
from serve_app.store.base import Store
from tests.support import MONTH, NOON, Clock, claim_next, make_record, queue_invoice

SCAN = Load(PageKind.SCAN, 3)
FAILED = Failure(code=FailureCode.NO_TEXT_FOUND, message="so")


async def queue(store: Store, account: Account, load: Load, minutes: int = 0) -> None:
    record = make_record(account.id, NOON + timedelta(minutes=minutes))
    await queue_invoice(store, replace(record, load=load))


async def test_documents_and_pages_are_counted_by_state_and_kind(store: Store, account: Account) -> None:
    other_account = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other_account)
    for minutes, load in enumerate((SCAN, Load(), Load(PageKind.SCAN, 2))):
        await queue(store, account, load, minutes)
    await queue(store, other_account, Load(PageKind.PHOTO), 3)
    claimed = await claim_next(store)
    assert (claimed.load, claimed.queued_at) == (SCAN, NOON)
    backlog = await store.queue.backlog()
    assert set(backlog.shares) == {
        Share(account.id, Status.PROCESSING, PageKind.SCAN, 1, 3),
        Share(account.id, Status.QUEUED, PageKind.TEXT, 1, 1),
        Share(account.id, Status.QUEUED, PageKind.SCAN, 1, 2),
        Share(other_account.id, Status.QUEUED, PageKind.PHOTO, 1, 1),
    }
    assert backlog.oldest == NOON + timedelta(minutes=1)
    assert (backlog.documents(), backlog.documents(Status.QUEUED)) == (4, 3)
    assert (backlog.pages(Status.QUEUED), backlog.pages(kind=PageKind.SCAN)) == (4, 5)


async def test_a_run_is_as_old_as_its_claim(store: Store, account: Account, clock: Clock) -> None:
    for _ in range(2):
        await queue(store, account, SCAN)
    began, first = clock.now, await claim_next(store)
    clock.advance(20)
    await store.queue.renew_lease(first, timedelta(seconds=60))
    await claim_next(store)
    assert (await store.queue.backlog()).oldest_running == began
    await store.queue.fail(first, FAILED, clock.now)
    assert (await store.queue.backlog()).oldest_running == clock.now


async def test_every_way_out_of_the_queue_is_counted(store: Store, account: Account) -> None:
    for _ in range(3):
        await queue(store, account, SCAN)
    released, failed, done = [await claim_next(store) for _ in range(3)]
    await store.queue.release(released, timedelta(0), Release.HANDED_BACK)
    await store.queue.fail(failed, FAILED, NOON)
    await store.queue.save_result(done, Extraction(), NOON)
    assert (await store.queue.backlog()).shares == (Share(account.id, Status.QUEUED, PageKind.SCAN, 1, 3),)
    await store.queue.fail(await claim_next(store), FAILED, NOON)
    assert await store.queue.backlog() == Backlog()


async def test_a_lost_claim_waits_again(store: Store, account: Account, clock: Clock) -> None:
    await queue(store, account, SCAN)
    await claim_next(store)
    assert (await store.queue.backlog()).documents(Status.PROCESSING) == 1
    clock.advance(31)
    await store.queue.repair()
    assert (await store.queue.backlog()).shares == (Share(account.id, Status.QUEUED, PageKind.SCAN, 1, 3),)


async def test_a_document_that_is_read_again_waits_since_then(store: Store, account: Account, clock: Clock) -> None:
    await queue(store, account, SCAN)
    done = await store.queue.save_result(await claim_next(store), Extraction(), NOON)
    assert done is not None
    clock.advance(3600)
    await store.intake.rerun(done, account.id, MONTH, None)
    backlog = await store.queue.backlog()
    assert backlog.oldest == clock.now
    assert backlog.shares == (Share(account.id, Status.QUEUED, PageKind.SCAN, 1, 3),)


async def test_an_erased_invoice_is_not_counted(store: Store, account: Account) -> None:
    record = replace(make_record(account.id), load=SCAN)
    await queue_invoice(store, record)
    await queue(store, account, Load())
    await store.erasure.invoice(record, NOON)
    assert (await store.queue.backlog()).shares == (Share(account.id, Status.QUEUED, PageKind.TEXT, 1, 1),)
