"""Schedules of exports and deliveries of their files, in both stores."""

from dataclasses import replace
from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.export import Export, ExportDelivery, ExportFormat
from serve_app.domain.export_schedule import Cadence, ExportSchedule
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.support import NOON
from tests.support.exports import new_export
from tests.support.mails import complete_invoice

MINUTE = timedelta(minutes=1)
LATER, END = NOON + 5 * MINUTE, NOON + 20 * MINUTE


def schedule_of(account: Account) -> ExportSchedule:
    settings = {"client": 7, "vendor_accounts": {"Müller": "70001"}}
    when = Cadence.WEEKLY, 18
    return ExportSchedule(
        new_id(), account.id, ExportFormat.DATEV, settings, *when, "/srv/ledger", NOON, "ann@example.com", NOON + MINUTE
    )


@pytest.fixture
async def schedule(store: Store, account: Account) -> ExportSchedule:
    schedule = schedule_of(account)
    assert await store.export_schedules.add(schedule)
    return schedule


class TestSchedules:
    async def test_are_listed_the_oldest_first(self, store: Store, account: Account, schedule: ExportSchedule) -> None:
        second = schedule_of(account)
        assert await store.export_schedules.add(second)
        assert await store.export_schedules.of_account(account.id) == [schedule, second]
        assert await store.export_schedules.of_account(new_id()) == []

    async def test_go_with_their_account(self, store: Store, account: Account, schedule: ExportSchedule) -> None:
        await store.erasure.account(account.id)
        assert await store.export_schedules.of_account(account.id) == []
        assert not await store.export_schedules.add(schedule)

    async def test_one_process_at_a_time_runs_what_is_due(self, store: Store, schedule: ExportSchedule) -> None:
        schedules = store.export_schedules
        assert await schedules.claim_due(NOON, END) is None
        claimed = await schedules.claim_due(LATER, END)
        assert claimed == replace(schedule, due_at=END)
        assert await schedules.claim_due(LATER, END) is None
        # The process has died.
        again = await schedules.claim_due(END, END + MINUTE)
        assert again == replace(schedule, due_at=END + MINUTE)
        assert not await schedules.record_run(claimed, NOON + timedelta(days=7), END, "late")
        assert await schedules.record_run(again, NOON + timedelta(days=7), END, "settings.client: wrong")
        (known,) = await schedules.of_account(schedule.account_id)
        assert known == replace(schedule, due_at=NOON + timedelta(days=7), ran_at=END, problem="settings.client: wrong")

    async def test_a_paused_one_is_not_due(self, store: Store, schedule: ExportSchedule) -> None:
        schedules, this = store.export_schedules, (schedule.account_id, schedule.id)
        claimed = await schedules.claim_due(LATER, END)
        assert claimed is not None
        assert await schedules.set_due(*this, None)
        assert not await schedules.record_run(claimed, END, LATER, "")
        assert await schedules.claim_due(END + MINUTE, END + 2 * MINUTE) is None
        assert await schedules.set_due(*this, NOON)
        assert await schedules.claim_due(NOON, END) is not None

    async def test_those_of_another_account_cannot_be_changed(self, store: Store, schedule: ExportSchedule) -> None:
        schedules = store.export_schedules
        assert not await schedules.set_due(new_id(), schedule.id, None)
        assert not await schedules.remove(new_id(), schedule.id)
        assert await schedules.of_account(schedule.account_id) == [schedule]
        assert await schedules.remove(schedule.account_id, schedule.id)
        assert not await schedules.remove(schedule.account_id, schedule.id)


@pytest.fixture
async def export(store: Store, account: Account) -> Export:
    invoice = await complete_invoice(store, account.id)
    new = new_export(invoice, account=account)
    due = replace(new.export, delivery=ExportDelivery("mailto:ledger@example.com", NOON + MINUTE))
    assert await store.exports.add(replace(new, export=due))
    return due


class TestDeliveries:
    async def test_are_kept_with_the_export(self, store: Store, account: Account, export: Export) -> None:
        assert await store.exports.get(account.id, export.id) == export
        assert (await store.exports.page(account.id, 5)).items == (export,)

    async def test_one_process_at_a_time_delivers(self, store: Store, account: Account, export: Export) -> None:
        exports = store.exports
        assert await exports.claim_delivery(NOON, END) is None
        first = await exports.claim_delivery(LATER, END)
        assert first is not None
        assert (first.id, first.invoices) == (export.id, export.invoices)
        assert await exports.claim_delivery(LATER, END) is None
        second = await exports.claim_delivery(END, END + MINUTE)
        assert second is not None
        failed = ExportDelivery("mailto:ledger@example.com", END + 2 * MINUTE, 1, "no such server")
        assert not await exports.record_delivery(first, failed)
        assert await exports.record_delivery(second, failed)
        third = await exports.claim_delivery(END + 2 * MINUTE, END + 3 * MINUTE)
        assert third is not None
        done = replace(failed, due_at=None, tries=2, problem="", delivered_at=END + 2 * MINUTE)
        assert await exports.record_delivery(third, done)
        assert await exports.claim_delivery(END + timedelta(days=9), END + timedelta(days=10)) is None
        assert await exports.get(account.id, export.id) == replace(export, delivery=done)

    async def test_an_export_without_a_place_is_not_delivered(self, store: Store, account: Account) -> None:
        invoice = await complete_invoice(store, account.id)
        new = new_export(invoice, account=account)
        assert await store.exports.add(new)
        assert await store.exports.claim_delivery(END, END) is None
        assert not await store.exports.deliver_again(account.id, new.export.id, NOON)

    async def test_people_ask_for_another_try(self, store: Store, account: Account, export: Export) -> None:
        assert not await store.exports.deliver_again(new_id(), export.id, NOON)
        assert await store.exports.deliver_again(account.id, export.id, NOON)
        claimed = await store.exports.claim_delivery(NOON, END)
        assert claimed is not None
