"""Nothing that a crash left behind stays for long."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import StoreUnreachable, Unavailable
from serve_app.domain.invoice import Failure, FailureCode, Status
from serve_app.domain.record import PAGES, InvoiceRecord, pages_key_of
from serve_app.domain.reservation import Reservation
from serve_app.domain.sign_in import SignInLink
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.tasks.rounds import forever
from serve_app.services.upkeep.housekeeping import Housekeeping
from serve_app.store.base import Files, Store
from serve_app.store.base.files import StoredFile
from tests.support import MONTH, NOON, Clock, claim_next, make_record, queue_new
from tests.support.databases import KINDS
from tests.support.people import add_member

HOUR = 3600.0


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def housekeeping(store: Store, files: Files, clock: Clock) -> Housekeeping:
    return Housekeeping(store, files, HOUR, clock)


async def crash_after_the_file(store: Store, files: Files, account: Account) -> InvoiceRecord:
    """A submission whose process died after it had written the file."""
    record = make_record(account.id)
    await store.intake.reserve(record, MONTH, None)
    await files.write(record.file_key, b"bytes")
    return record


async def has_file(files: Files, record: InvoiceRecord) -> bool:
    try:
        await files.read(record.file_key)
    except FileNotFoundError:
        return False
    return True


async def reserved(store: Store) -> int:
    return len(await store.intake.stale(NOON + timedelta(days=1), 1000))


def broken(*args: object) -> Any:
    raise StoreUnreachable


async def test_a_crashed_submission_leaves_no_file_and_no_unit(
    store: Store, files: Files, account: Account, clock: Clock, housekeeping: Housekeeping
) -> None:
    record = await crash_after_the_file(store, files, account)
    clock.advance(HOUR + 1)
    await housekeeping.run_round()
    assert not await has_file(files, record)
    assert await store.quotas.used(account.id, MONTH) == 0
    assert await reserved(store) == 0


async def test_a_submission_that_crashed_before_its_file_gives_its_unit_back(
    store: Store, account: Account, clock: Clock, housekeeping: Housekeeping
) -> None:
    await store.intake.reserve(make_record(account.id), MONTH, None)
    clock.advance(HOUR + 1)
    await housekeeping.run_round()
    assert await store.quotas.used(account.id, MONTH) == 0
    assert await reserved(store) == 0


async def test_a_submission_under_way_is_left_alone(
    store: Store, files: Files, account: Account, clock: Clock, housekeeping: Housekeeping
) -> None:
    record = await crash_after_the_file(store, files, account)
    clock.advance(HOUR - 1)
    await housekeeping.run_round()
    await store.intake.add(record)
    assert await files.read(record.file_key) == b"bytes"
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_a_queued_invoice_keeps_its_file_and_unit(
    store: Store, files: Files, account: Account, clock: Clock, housekeeping: Housekeeping
) -> None:
    record = await crash_after_the_file(store, files, account)
    await store.intake.add(record)
    clock.advance(48 * HOUR)
    await housekeeping.run_round()
    assert await has_file(files, record)
    assert await store.quotas.used(account.id, MONTH) == 1
    invoice = await store.invoices.get(account.id, record.invoice.id)
    assert invoice is not None
    assert invoice.status is Status.QUEUED


async def test_a_submission_that_comes_too_late_is_refused(
    store: Store, files: Files, account: Account, clock: Clock, housekeeping: Housekeeping
) -> None:
    record = await crash_after_the_file(store, files, account)
    clock.advance(HOUR + 1)
    await housekeeping.run_round()
    with pytest.raises(Unavailable):
        await store.intake.add(record)
    assert await store.invoices.get(account.id, record.invoice.id) is None


async def test_any_number_of_crashes_is_tidied_up_in_one_round(
    store: Store, account: Account, clock: Clock, housekeeping: Housekeeping
) -> None:
    for _ in range(250):
        await store.intake.reserve(make_record(account.id), MONTH, None)
    clock.advance(HOUR + 1)
    await housekeeping.run_round()
    assert await reserved(store) == 0
    assert await store.quotas.used(account.id, MONTH) == 0


async def test_files_out_of_reach_keep_the_reservations_for_the_next_round(
    store: Store, files: Files, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [await crash_after_the_file(store, files, account) for _ in range(3)]
    housekeeping = Housekeeping(store, files, HOUR, clock)
    clock.advance(HOUR + 1)
    with monkeypatch.context() as patch:
        patch.setattr(files, "delete", broken)
        await housekeeping.run_round()
    assert await reserved(store) == 3
    await housekeeping.run_round()
    assert await reserved(store) == 0
    assert not any([await has_file(files, record) for record in records])


async def test_one_file_that_cannot_be_deleted_does_not_keep_the_others(
    store: Store, files: Files, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, other = [await crash_after_the_file(store, files, account) for _ in range(2)]
    delete = files.delete

    async def refuse_one(key: str) -> None:
        if key == stuck.file_key:
            raise StoreUnreachable
        await delete(key)

    monkeypatch.setattr(files, "delete", refuse_one)
    clock.advance(HOUR + 1)
    await Housekeeping(store, files, HOUR, clock).run_round()
    assert await has_file(files, stuck)
    assert not await has_file(files, other)
    assert [left.file_key for left in await store.intake.stale(clock.now, 10)] == [stuck.file_key]


async def test_reservations_that_do_not_end_do_not_keep_a_round_going(
    store: Store, files: Files, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(101):
        await store.intake.reserve(make_record(account.id), MONTH, None)
    clock.advance(HOUR + 1)

    async def do_nothing(reservation: Reservation) -> None: ...

    monkeypatch.setattr(store.intake, "cancel", do_nothing)
    await Housekeeping(store, files, HOUR, clock).run_round()
    assert await reserved(store) == 101


async def test_words_that_a_dead_run_left_are_removed(
    store: Store, files: Files, account: Account, housekeeping: Housekeeping
) -> None:
    """Whatever its end was: its process may have died, or the files been out of reach."""
    failed, gone, running, waiting = [await queue_new(store, account.id) for _ in range(4)]
    claims = {claim.invoice.id: claim for claim in [await claim_next(store) for _ in range(3)]}
    await store.queue.fail(claims[failed.invoice.id], Failure(code=FailureCode.NO_TEXT_FOUND, message="-"), NOON)
    await InvoiceEraser(store, files).erase(account.id, gone.invoice.id)
    for record in (failed, gone, running, waiting):
        await files.write(pages_key_of(account.id, record.invoice.id), b"words")
    await housekeeping.run_round()
    needed = {pages_key_of(account.id, record.invoice.id) for record in (running, waiting)}
    assert set(await files.keys_in(PAGES)) == needed


async def test_what_has_expired_is_removed(
    store: Store, account: Account, clock: Clock, housekeeping: Housekeeping
) -> None:
    await store.sign_ins.add_link(SignInLink("hash", (await add_member(store, account)).id, NOON + timedelta(hours=1)))
    clock.advance(2 * HOUR)
    await housekeeping.run_round()
    assert await store.upkeep.expire(clock.now) == 0


class NoFiles:
    """Counts how often it was tidied; has nothing."""

    def __init__(self) -> None:
        self.tidied = 0
        self.tidied_thrice = asyncio.Event()

    async def write(self, key: str, data: bytes) -> None: ...

    async def read(self, key: str) -> bytes:
        raise FileNotFoundError

    async def delete(self, key: str) -> None: ...

    async def keys_in(self, folder: str) -> list[str]:
        return []

    async def list_all(self) -> AsyncIterator[StoredFile]:
        return
        yield

    async def tidy(self) -> int:
        self.tidied += 1
        if self.tidied == 3:
            self.tidied_thrice.set()
        return 0

    async def close(self) -> None: ...


@pytest.mark.parametrize("room", ["intake", "upkeep"])
async def test_each_part_is_done_though_another_fails(
    store: Store, files: Files, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch, room: str
) -> None:
    await store.sign_ins.add_link(SignInLink("hash", (await add_member(store, account)).id, NOON + timedelta(hours=1)))
    record = await crash_after_the_file(store, files, account)
    clock.advance(2 * HOUR)
    counting = NoFiles()
    monkeypatch.setattr(getattr(store, room), {"intake": "stale", "upkeep": "expire"}[room], broken)
    await Housekeeping(store, counting, HOUR, clock).run_round()
    assert counting.tidied == 1
    monkeypatch.undo()
    left = await reserved(store), await store.upkeep.expire(clock.now)
    assert left == ((1, 0) if room == "intake" else (0, 1))
    assert await has_file(files, record)


async def test_rounds_follow_each_other_until_they_are_cancelled(store: Store, clock: Clock) -> None:
    counting = NoFiles()
    rounds = asyncio.create_task(forever(Housekeeping(store, counting, HOUR, clock).run_round, 0.01))
    await counting.tidied_thrice.wait()
    rounds.cancel()
    with pytest.raises(asyncio.CancelledError):
        await rounds
    done = counting.tidied
    await asyncio.sleep(0.05)
    assert counting.tidied == done


async def test_two_processes_may_tidy_up_at_once(
    store: Store, files: Files, account: Account, clock: Clock, housekeeping: Housekeeping
) -> None:
    records = [await crash_after_the_file(store, files, account) for _ in range(20)]
    kept = await crash_after_the_file(store, files, account)
    await store.intake.add(kept)
    clock.advance(HOUR + 1)
    await asyncio.gather(housekeeping.run_round(), Housekeeping(store, files, HOUR, clock).run_round())
    assert not any([await has_file(files, record) for record in records])
    assert await has_file(files, kept)
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_files_of_unknown_accounts_are_removed_too(
    store: Store, files: Files, account: Account, clock: Clock, housekeeping: Housekeeping
) -> None:
    """The account may have been deleted meanwhile."""
    record = await crash_after_the_file(store, files, account)
    await store.erasure.account(account.id)
    clock.advance(HOUR + 1)
    await housekeeping.run_round()
    assert not await has_file(files, record)
    assert await reserved(store) == 0
