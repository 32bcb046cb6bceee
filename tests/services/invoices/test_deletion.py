"""Deleting that can be undone for some seconds."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.deletion import UNDO
from serve_app.domain.errors import AccountKept, InvoiceKept, StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.record import Amendment
from serve_app.domain.retention import Retention
from serve_app.services.accounts.erase import AccountEraser
from serve_app.services.invoices.deletion import DeletionService
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.people.audit import AuditTrail
from serve_app.services.upkeep.housekeeping import Housekeeping
from serve_app.store.base import Files, Store
from tests.support import NOON, Clock
from tests.support.mails import complete_invoice

ANN = Actor(ActorKind.PERSON, new_id(), "ann@example.com")


class Timer:
    """Sleeps until it is told that the time is over."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.asked: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.asked.append(seconds)
        await self.over.wait()


@pytest.fixture
def timer() -> Timer:
    return Timer()


@pytest.fixture
def deletions(store: Store, files: Files, clock: Clock, timer: Timer) -> DeletionService:
    eraser = InvoiceEraser(store, files, clock)
    return DeletionService(store.deletions, eraser, AuditTrail(store.audit, clock), clock, timer.sleep)


async def is_there(store: Store, account: Account, invoice_id: UUID) -> bool:
    return await store.invoices.get(account.id, invoice_id) is not None


async def test_nothing_is_deleted_until_the_time_is_over(
    store: Store, account: Account, deletions: DeletionService, timer: Timer
) -> None:
    kept, wanted = await complete_invoice(store, account.id), await complete_invoice(store, account.id)
    plan = await deletions.plan(account.id, [wanted.id, new_id()], ANN)
    await asyncio.sleep(0)
    assert timer.asked == [UNDO.total_seconds()]
    assert await is_there(store, account, wanted.id)
    assert list(await deletions.open(account.id)) == [plan]
    timer.over.set()
    await deletions.idle()
    assert not await is_there(store, account, wanted.id)
    assert await is_there(store, account, kept.id)
    assert list(await deletions.open(account.id)) == []
    (entry,) = (await store.audit.page(account.id, 9)).items
    assert (entry.action, entry.target, entry.actor) == ("invoice.deleted", str(wanted.id), ANN)


async def test_what_is_undone_stays(store: Store, account: Account, deletions: DeletionService, timer: Timer) -> None:
    invoice = await complete_invoice(store, account.id)
    plan = await deletions.plan(account.id, [invoice.id], ANN)
    assert await deletions.undo(account.id, plan.id)
    timer.over.set()
    await deletions.idle()
    assert await is_there(store, account, invoice.id)
    assert (await store.audit.page(account.id, 9)).items == ()


async def test_an_id_of_another_account_deletes_nothing(
    store: Store, account: Account, deletions: DeletionService, timer: Timer
) -> None:
    other = Account(new_id(), account.plan, account.created_at)
    await store.accounts.add(other)
    foreign = await complete_invoice(store, other.id)
    await deletions.plan(account.id, [foreign.id], ANN)
    timer.over.set()
    await deletions.idle()
    assert await is_there(store, other, foreign.id)


async def test_housekeeping_carries_out_what_a_dead_process_left(
    store: Store, files: Files, account: Account, deletions: DeletionService, clock: Clock
) -> None:
    """The timer of the process that planned it never ends."""
    invoice = await complete_invoice(store, account.id)
    plan = await deletions.plan(account.id, [invoice.id], ANN)
    house = Housekeeping(store, files, 3600, clock, finish_deletions=deletions.finish_left)
    clock.now += UNDO + timedelta(seconds=1)
    await house.run_round()
    assert await is_there(store, account, invoice.id)
    # It died after it had begun.
    await store.deletions.begin(plan.id)
    clock.now += timedelta(minutes=1)
    await house.run_round()
    assert not await is_there(store, account, invoice.id)
    assert list(await deletions.open(account.id)) == []


async def test_what_fails_is_left_for_housekeeping(
    store: Store, account: Account, deletions: DeletionService, timer: Timer, clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    invoice = await complete_invoice(store, account.id)
    await deletions.plan(account.id, [invoice.id], ANN)

    async def fail(*_: object) -> None:
        raise StoreUnreachable("gone")

    with monkeypatch.context() as patched:
        patched.setattr(InvoiceEraser, "erase", fail)
        timer.over.set()
        await deletions.idle()
    assert len(await deletions.open(account.id)) == 1
    clock.now += timedelta(minutes=1)
    await deletions.finish_left()
    assert not await is_there(store, account, invoice.id)


class TestWhatTheLawKeeps:
    async def kept(self, store: Store, account: Account) -> UUID:
        await store.retention.set_rule(account.id, Retention(country="DE"))
        invoice = await complete_invoice(store, account.id)
        await store.invoices.amend(account.id, invoice.id, Amendment(paid=True), NOON)
        return invoice.id

    async def test_it_refuses_the_whole_plan(self, store: Store, account: Account, deletions: DeletionService) -> None:
        draft, kept = (await complete_invoice(store, account.id)).id, await self.kept(store, account)
        with pytest.raises(InvoiceKept, match="DE: § 147 AO"):
            await deletions.plan(account.id, [draft, kept], ANN)
        assert list(await deletions.open(account.id)) == []

    async def test_what_is_booked_while_a_plan_waits_stays_too(
        self, store: Store, account: Account, deletions: DeletionService, timer: Timer
    ) -> None:
        draft = await complete_invoice(store, account.id)
        await store.retention.set_rule(account.id, Retention(country="DE"))
        await deletions.plan(account.id, [draft.id], ANN)
        await store.invoices.amend(account.id, draft.id, Amendment(paid=True), NOON)
        timer.over.set()
        await deletions.idle()
        assert await is_there(store, account, draft.id)
        (entry,) = (await store.audit.page(account.id, 9)).items
        assert (entry.action, entry.target) == ("invoice.deletion_refused", str(draft.id))

    async def test_an_account_goes_only_after_the_rule_was_lifted(
        self, store: Store, files: Files, account: Account, clock: Clock
    ) -> None:
        await self.kept(store, account)
        eraser = AccountEraser(store, files, clock)
        with pytest.raises(AccountKept, match="law of DE"):
            await eraser.erase(account.id)
        await store.retention.set_rule(account.id, Retention())
        assert (await eraser.erase(account.id)).accounts == 1
