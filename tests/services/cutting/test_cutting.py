"""A file cut into other invoices: what stays, what is read, what it costs; and that a crash only delays it."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.batch import Section, records_of
from serve_app.domain.clock import month_start
from serve_app.domain.cutting import Part, Sheet
from serve_app.domain.errors import CutChanged, InvalidParameter, QuotaReached
from serve_app.domain.invoice import Extraction, Failure, FailureCode, Invoice, Status
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.record import CUTS, Amendment, cuts_folder_of, file_key_of
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.accounts.usage import UsageService
from serve_app.services.cutting import service
from serve_app.services.cutting.plan_execution import UnfinishedCuts
from serve_app.services.cutting.service import CuttingService
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.invoices.service import InvoiceService
from serve_app.services.tasks.wake import Wake
from serve_app.services.upkeep.housekeeping import Housekeeping
from serve_app.store.base import Files, Store
from tests.support import MONTH, NOON, Clock, FakeCutter, FakeNotifier, claim_next, queue_new
from tests.support.databases import KINDS

HOUR = timedelta(hours=1)


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def cutting(store: Store, files: Files, clock: Clock) -> CuttingService:
    return cutting_service(store, files, clock)


def cutting_service(
    store: Store, files: Files, clock: Clock, broken: Any = None, broken_files: Any = None
) -> CuttingService:
    """The service over a store; its own steps are over a broken one, if it is given."""
    wake, limits = Wake(FakeNotifier()), MonthlyLimits(UsageService(store.quotas))
    eraser = InvoiceEraser(store, files, clock)
    invoices = InvoiceService(store.invoices, store.intake, limits, eraser, wake, clock)
    return CuttingService(broken or store, broken_files or files, limits, FakeCutter(), invoices, wake, clock)


@pytest.fixture
async def found(store: Store, files: Files, account: Account) -> list[Invoice]:
    """A file of three pages in which the service found two invoices: page 1, pages 2 and 3."""
    record = await queue_new(store, account.id)
    await files.write(record.file_key, b"%PDF of three pages")
    claim = await claim_next(store)
    sections = [Section(1, 1, Extraction(vendor_name="Northwind")), Section(2, 3, Extraction(vendor_name="Acme"))]
    extraction, others = records_of(claim, sections, NOON)
    saved = await store.queue.save_result(claim, extraction, NOON, others)
    assert saved is not None
    await store.invoices.amend(account.id, others[0].invoice.id, Amendment(sets_tag=True, entity_tag="north"), NOON)
    return [saved, others[0].invoice]


def parts_of(text: str) -> list[Part]:
    """Invoices by their pages: `1 23` are two invoices; a letter after a page turns it: r right, d down, l left."""
    turns = {"r": 90, "d": 180, "l": 270}
    parts: list[Part] = []
    for word in text.split():
        sheets: list[Sheet] = []
        for sign in word:
            if sign in turns:
                sheets[-1] = Sheet(page=sheets[-1].page, turn=turns[sign])
            else:
                sheets.append(Sheet(page=int(sign)))
        parts.append(tuple(sheets))
    return parts


async def places(store: Store, account: Account) -> list[tuple[int, int, int, int, str]]:
    """Of each invoice: index, count, first page, last page, status; oldest first."""
    page = await store.invoices.page(account.id, InvoiceQuery(), 100)
    batches = [(invoice.batch, invoice.status) for invoice in page.items]
    return sorted((b.index, b.count, b.first_page, b.last_page, str(s)) for b, s in batches if b is not None)


async def used(store: Store, account: Account) -> int:
    return await store.quotas.used(account.id, MONTH)


async def finish_all(store: Store) -> None:
    """Read what waits."""
    while (claim := await store.queue.claim_due_invoice(HOUR)) is not None:
        assert await store.queue.save_result(claim, Extraction(batch=claim.invoice.batch), NOON) is not None


async def do_cut(cutting: CuttingService, account: Account, id: UUID, text: str) -> Any:
    return await cutting.cut(account, id, parts_of(text), (await cutting.open(account.id, id)).seen)


async def test_splitting_keeps_the_invoice_whose_pages_stay(
    cutting: CuttingService, store: Store, account: Account, found: list[Invoice]
) -> None:
    assert await used(store, account) == 2
    plan = await do_cut(cutting, account, found[0].id, "1 2 3")
    assert (plan.added, plan.returned, plan.cost) == (2, 1, 1)
    assert await places(store, account) == [
        (1, 3, 1, 1, "complete"),
        (2, 3, 2, 2, "queued"),
        (3, 3, 3, 3, "queued"),
    ]
    assert await used(store, account) == 3
    assert await store.invoices.get(account.id, found[1].id) is None
    added = await store.invoices.page(account.id, InvoiceQuery(status=Status.QUEUED), 10)
    assert {invoice.entity_tag for invoice in added.items} == {"north"}


async def test_new_invoices_are_read_from_their_own_pages_and_not_split_again(
    cutting: CuttingService, store: Store, account: Account, found: list[Invoice]
) -> None:
    await do_cut(cutting, account, found[0].id, "123")
    claim = await claim_next(store)
    assert claim.file_key == file_key_of(account.id, found[0].id)
    assert claim.invoice.batch is not None
    assert (claim.invoice.batch.first_page, claim.invoice.batch.last_page) == (1, 3)
    first, others = records_of(claim, [Section(1, 3, Extraction(vendor_name="One"))], NOON)
    assert (await store.queue.save_result(claim, first, NOON, others)) is not None
    assert await places(store, account) == [(1, 1, 1, 3, "complete")]
    assert await used(store, account) == 1


async def test_invoices_that_share_a_page_stay_together(
    cutting: CuttingService, store: Store, files: Files, account: Account
) -> None:
    record = await queue_new(store, account.id)
    await files.write(record.file_key, b"%PDF of three pages")
    claim = await claim_next(store)
    sections = [Section(*span, Extraction(vendor_name="Northwind")) for span in ((1, 1), (1, 1), (2, 3))]
    extraction, others = records_of(claim, sections, NOON)
    assert await store.queue.save_result(claim, extraction, NOON, others) is not None
    plan = await do_cut(cutting, account, others[0].invoice.id, "1 2 3")
    assert (plan.added, plan.returned) == (2, 1)
    assert [place[2:] for place in await places(store, account)] == [
        (1, 1, "complete"),
        (1, 1, "complete"),
        (2, 2, "queued"),
        (3, 3, "queued"),
    ]


async def test_a_file_that_was_merged_can_be_cut_as_it_was(
    cutting: CuttingService, store: Store, account: Account, found: list[Invoice]
) -> None:
    await do_cut(cutting, account, found[0].id, "123")
    merged = (await store.invoices.page(account.id, InvoiceQuery(), 10)).items[0]
    claim = await claim_next(store)
    assert await store.queue.save_result(claim, Extraction(batch=merged.batch), NOON) is not None
    await do_cut(cutting, account, merged.id, "1 23")
    assert [place[:4] for place in await places(store, account)] == [(1, 2, 1, 1), (2, 2, 2, 3)]
    assert await used(store, account) == 2


async def test_moving_and_turning_pages_makes_a_new_file(
    cutting: CuttingService, store: Store, files: Files, account: Account, found: list[Invoice]
) -> None:
    plan = await do_cut(cutting, account, found[0].id, "3r1")
    assert plan.file_key != plan.old_file_key
    assert await files.read(plan.file_key) == b"%PDF-1.7 [(3, 90), (1, 0), (2, 0)]"
    with pytest.raises(FileNotFoundError):
        await files.read(plan.old_file_key)
    assert await places(store, account) == [(1, 1, 1, 2, "queued")]
    assert (await claim_next(store)).file_key == plan.file_key


async def test_a_page_that_belongs_to_none_can_be_given_back(
    cutting: CuttingService, store: Store, account: Account, found: list[Invoice]
) -> None:
    await do_cut(cutting, account, found[0].id, "1 2")
    assert [place[:4] for place in await places(store, account)] == [(1, 2, 1, 1), (2, 2, 2, 2)]
    assert (await cutting.open(account.id, found[0].id)).pages == 3
    await finish_all(store)
    plan = await do_cut(cutting, account, found[0].id, "1 2 3")
    assert (plan.added, plan.removed) == (1, {})
    assert [place[:4] for place in await places(store, account)] == [(1, 3, 1, 1), (2, 3, 2, 2), (3, 3, 3, 3)]


async def test_the_quota_is_checked_before_anything_happens(
    cutting: CuttingService, store: Store, account: Account, found: list[Invoice]
) -> None:
    for _ in range((account.plan.monthly_limit or 0) - 2):
        await queue_new(store, account.id)
    with pytest.raises(QuotaReached):
        await do_cut(cutting, account, found[0].id, "1 2 3")
    assert (await cutting.open(account.id, found[0].id)).seen == {found[0].id: (1, 1), found[1].id: (2, 3)}
    plan = await do_cut(cutting, account, found[0].id, "123")
    assert plan.cost == -1


async def test_a_unit_of_an_earlier_month_is_not_given_back(
    cutting: CuttingService, store: Store, account: Account, clock: Clock, found: list[Invoice]
) -> None:
    clock.now = NOON + timedelta(days=40)
    plan = await do_cut(cutting, account, found[0].id, "123")
    assert (plan.added, plan.returned) == (1, 0)
    assert await used(store, account) == 2
    assert await store.quotas.used(account.id, month_start(clock.now)) == 1


async def test_what_was_not_seen_is_not_cut(
    cutting: CuttingService, store: Store, account: Account, found: list[Invoice]
) -> None:
    seen = (await cutting.open(account.id, found[0].id)).seen
    await do_cut(cutting, account, found[0].id, "1 2 3")
    with pytest.raises(CutChanged):
        await cutting.cut(account, found[0].id, parts_of("123"), seen)
    # The new ones are still to be read.
    with pytest.raises(CutChanged):
        await do_cut(cutting, account, found[0].id, "123")


async def test_of_two_cuts_at_the_same_moment_the_later_one_is_refused(
    cutting: CuttingService, store: Store, files: Files, account: Account, found: list[Invoice]
) -> None:
    other = f"{cuts_folder_of(file_key_of(account.id, found[0].id))}/{UUID(int=1)}"
    await files.write(other, b"the plan of somebody else")
    with pytest.raises(CutChanged):
        await do_cut(cutting, account, found[0].id, "123")
    assert await files.keys_in(CUTS) == [other]
    assert [place[:4] for place in await places(store, account)] == [(1, 2, 1, 1), (2, 2, 2, 3)]


async def test_a_file_with_very_many_invoices_is_not_cut(
    cutting: CuttingService, account: Account, found: list[Invoice], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_MOST", 1)
    with pytest.raises(InvalidParameter, match="more than 1 invoices"):
        await cutting.open(account.id, found[0].id)


@pytest.mark.parametrize("text", ["", "11", "4", "1 1"])
async def test_parts_that_cannot_be_are_refused(
    cutting: CuttingService, account: Account, found: list[Invoice], text: str
) -> None:
    with pytest.raises(InvalidParameter):
        await do_cut(cutting, account, found[0].id, text)


class Crash(BaseException):
    """The process is gone."""


class Crashing:
    """Stands before a part of the store or the files, and ends everything at the n-th write, before or after it."""

    WRITES = ("reserve", "add", "write", "delete", "amend", "invoice", "give_up", "cancel")

    def __init__(self, behind: Any, left: list[int], after: bool) -> None:
        self._behind, self._left, self._after = behind, left, after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._behind, name)
        if name in ("invoices", "intake", "erasure"):
            return Crashing(found, self._left, self._after)
        return self._counting(found) if name in self.WRITES else found

    def _counting(self, verb: Any) -> Any:
        async def call(*values: Any, **named: Any) -> Any:
            self._left[0] -= 1
            if self._left[0] == 0 and not self._after:
                raise Crash
            result = await verb(*values, **named)
            if self._left[0] <= 0:
                raise Crash
            return result

        return call


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("text", ["1 2 3", "3r1 2"])
async def test_a_crash_at_any_write_is_repaired(
    store: Store, files: Files, account: Account, clock: Clock, found: list[Invoice], text: str, after: bool
) -> None:
    """From each state that a crash can leave, housekeeping reaches either the old set or the new one, with the units of
    the quota that belong to it, and nothing else."""
    outcomes: set[str] = set()
    at = 0
    while "whole" not in outcomes:
        at += 1
        ids = {invoice.id for invoice in (await store.invoices.page(account.id, InvoiceQuery(), 10)).items}
        left = [at]
        cutting = cutting_service(store, files, clock, Crashing(store, left, after), Crashing(files, left, after))
        try:
            await do_cut(cutting, account, min(ids), text)
            outcomes.add("whole")
        except Crash:
            clock.advance(2 * HOUR.total_seconds())
            await Housekeeping(
                store, files, HOUR.total_seconds(), clock, UnfinishedCuts(store, files, HOUR, clock).finish
            ).run_round()
        assert await files.keys_in(CUTS) == []
        page = await store.invoices.page(account.id, InvoiceQuery(), 10)
        pages = sorted((invoice.batch.first_page, invoice.batch.last_page) for invoice in page.items if invoice.batch)
        assert await used(store, account) == len(pages), at
        keys = {file_key_of(account.id, page.items[0].batch.id)} if page.items[0].batch else set()
        assert set(await files.keys_in(str(account.id))) == keys, at
        assert await store.intake.stale(clock.now + HOUR, 10) == []
        if pages == [(1, 1), (2, 3)]:
            outcomes.add("old")
            continue
        outcomes.add("new")
        # Back to the start, for the next crash.
        while (claim := await store.queue.claim_due_invoice(HOUR)) is not None:
            assert await store.queue.save_result(claim, Extraction(batch=claim.invoice.batch), clock.now) is not None
        if "whole" not in outcomes:
            await do_cut(cutting_service(store, files, clock), account, page.items[0].id, "1 23")
            while (claim := await store.queue.claim_due_invoice(HOUR)) is not None:
                assert await store.queue.save_result(claim, Extraction(batch=claim.invoice.batch), clock.now)
    # The first write of a cut that needs no new file is its plan.
    assert outcomes - {"old"} == {"new", "whole"}
    assert "old" in outcomes or after
    assert at > 5


async def test_a_password_opens_a_document_and_is_not_kept(
    cutting: CuttingService, store: Store, files: Files, account: Account
) -> None:
    record = await queue_new(store, account.id)
    await files.write(record.file_key, b"%PDF locked")
    failure = Failure(code=FailureCode.DOCUMENT_ENCRYPTED, message="It is protected.")
    await store.queue.fail(await claim_next(store), failure, NOON)
    with pytest.raises(InvalidParameter, match="password is wrong"):
        await cutting.unlock(account, record.invoice.id, "wrong")
    assert await files.read(record.file_key) == b"%PDF locked"
    queued = await cutting.unlock(account, record.invoice.id, "secret")
    assert queued.status is Status.QUEUED
    kept = await files.read(record.file_key)
    assert kept == b"%PDF-1.7 all pages"
    with pytest.raises(InvalidParameter, match="no password"):
        await cutting.unlock(account, record.invoice.id, "secret")
