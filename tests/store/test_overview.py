"""What operators and owners see at a glance."""

from datetime import UTC, datetime, timedelta

from serve_app.domain.account import Account
from serve_app.domain.backlog import Backlog
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Failure, FailureCode
from serve_app.domain.queue_state import QueueState
from serve_app.store.base import Store
from tests.support import MONTH, NOON, claim_next, make_record, newest_events, queue_invoice, queue_new


async def test_the_queue_counts_what_waits_and_what_runs(store: Store, account: Account) -> None:
    assert await store.queue.backlog() == Backlog()
    for hours in range(10):
        await queue_new(store, account.id, NOON + timedelta(hours=hours))
    assert (await store.queue.backlog()).state == QueueState(10, 0, NOON)
    await claim_next(store)
    assert (await store.queue.backlog()).state == QueueState(9, 1, NOON + timedelta(hours=1))


async def test_failures_are_counted_by_their_code(store: Store, account: Account) -> None:
    for code, at in (
        (FailureCode.NO_TEXT_FOUND, NOON),
        (FailureCode.NO_TEXT_FOUND, NOON),
        (FailureCode.DOCUMENT_ENCRYPTED, NOON),
        (FailureCode.DOCUMENT_UNREADABLE, NOON - timedelta(days=2)),
    ):
        await queue_new(store, account.id)
        await store.queue.fail(await claim_next(store), Failure(code=code, message="so"), at)
    await newest_events(store, account.id)
    since = NOON - timedelta(days=1)
    assert await store.events.failures(since, 10) == {"no_text_found": 2, "document_encrypted": 1}
    assert sum((await store.events.failures(since, 1)).values()) == 1


async def test_months_are_those_with_extractions(store: Store, account: Account) -> None:
    months = [datetime(2026, month, 1, tzinfo=UTC) for month in (3, 4, 5)]
    for number, month in enumerate(months, 1):
        for _ in range(number):
            await queue_invoice(store, make_record(account.id), month=month)
    assert await store.quotas.by_month(account.id, months[1]) == {months[1]: 2, MONTH: 3}
    assert await store.quotas.by_month(new_id(), months[0]) == {}


async def test_everything_is_counted(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    counts = await store.upkeep.counts()
    assert (counts["accounts"], counts["invoices"], counts["events"]) == (1, 1, 0)
