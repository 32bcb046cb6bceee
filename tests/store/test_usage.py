"""What reading took is summed by month, once for each run, and stays when invoices go."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from serve_app.domain.account import Account
from serve_app.domain.batch import Section, records_of
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Failure, FailureCode
from serve_app.domain.usage import Usage, UsageSums
from serve_app.store.base import Store
from tests.support import MONTH, NOON, claim_next, queue_new
from tests.support.sound import spread

READ = Usage(pages=3, ocr_pages=1, cpu_ms=700, gpu_ms=20)
NEXT_MONTH = datetime(2026, 6, 1, tzinfo=UTC)


async def read(store: Store, account: Account, at: datetime = NOON, usage: Usage | None = READ) -> None:
    await queue_new(store, account.id, NOON)
    await store.queue.save_result(await claim_next(store), Extraction(pages=3, usage=usage), at)


async def test_readings_are_summed_by_the_month_in_which_they_ended(store: Store, account: Account) -> None:
    for at in (NOON, NOON + timedelta(days=1), NEXT_MONTH):
        await read(store, account, at)
    await read(store, account, usage=None)
    both = UsageSums(6, 2, 1400, 40)
    assert await store.quotas.usage_by_month(account.id, MONTH) == {MONTH: both, NEXT_MONTH: UsageSums(3, 1, 700, 20)}
    assert list(await store.quotas.usage_by_month(account.id, NEXT_MONTH)) == [NEXT_MONTH]
    assert await store.quotas.usage_by_month(new_id(), MONTH) == {}


async def test_all_invoices_of_a_file_count(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    claim, value = await claim_next(store), Extraction(pages=3, usage=READ)
    first, siblings = records_of(claim, [Section(page, page, value) for page in (1, 2)], NOON)
    await store.queue.save_result(claim, first, NOON, siblings)
    await spread(store)
    assert (await store.quotas.usage_by_month(account.id, MONTH))[MONTH].pages == 6


async def test_a_failed_run_has_no_usage_and_a_second_reading_counts_again(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    failure = Failure(code=FailureCode.EXTRACTION_INTERRUPTED, message="It failed.")
    await store.queue.fail(await claim_next(store), failure, NOON)
    assert await store.quotas.usage_by_month(account.id, MONTH) == {}
    await read(store, account)
    assert (await store.quotas.usage_by_month(account.id, MONTH))[MONTH] == UsageSums(3, 1, 700, 20)


async def test_processes_that_settle_the_same_run_count_it_once(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    for _ in range(3):
        await read(store, account)
    for process in (store, open_again()):
        await spread(process)
    assert (await store.quotas.usage_by_month(account.id, MONTH))[MONTH].pages == 9
