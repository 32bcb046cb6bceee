"""Scheduled exports are made and delivered once, whatever happens in between."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.errors import ExportNotFound, InvalidParameter, StoreUnreachable
from serve_app.domain.export import Export, ExportFormat
from serve_app.domain.export_schedule import MAX_SCHEDULES, Cadence, ExportSchedule, next_run
from serve_app.domain.ids import new_id
from serve_app.domain.user_error import UserError
from serve_app.keys.sealing import Sealer, new_key
from serve_app.services.exports.ports import DeliveryFailed
from serve_app.services.exports.push import Pusher
from serve_app.services.exports.schedules import MAX_TRIES, ExportRounds, NewSchedule, ScheduleService
from serve_app.services.exports.service import ExportRequest, ExportService
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Store
from tests.services.exports.test_service import add
from tests.support import NOON, Clock

ANN = Actor(ActorKind.PERSON, new_id(), "ann@example.com")
PLACE = "mailto:ledger@example.com"
COLUMNS = [{"title": name, "source": name} for name in ("number", "total")]
SETTINGS: Mapping[str, Any] = {"columns": COLUMNS, "encoding": "utf-8"}
DAY = timedelta(days=1)


SEALER = Sealer([new_key()])


async def no_call(_: str, __: str, ___: Mapping[str, str], body: bytes | None = None) -> tuple[int, Any]:
    """No program is called here."""
    raise AssertionError


class Places:
    """Takes files, unless it is broken."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, str, bytes]] = []
        self.problem = ""

    def canonical(self, text: str) -> str:
        if text == "nowhere":
            raise UserError("no such folder")
        return text

    async def deliver(self, place: str, export: Export, content: bytes) -> None:
        if self.problem:
            raise DeliveryFailed(self.problem)
        self.taken.append((place, export.file_name, content))


@pytest.fixture
def store_kind() -> str:
    return "sqlite"


@pytest.fixture
def places() -> Places:
    return Places()


@pytest.fixture
def exports(store: Store, clock: Clock) -> ExportService:
    return ExportService(store.exports, store.invoices, store.own_fields, AuditTrail(store.audit, clock), clock)


@pytest.fixture
def service(store: Store, exports: ExportService, places: Places, clock: Clock) -> ScheduleService:
    return ScheduleService(store.export_schedules, exports, places, AuditTrail(store.audit, clock), clock)


@pytest.fixture
def rounds(store: Store, exports: ExportService, places: Places, clock: Clock) -> ExportRounds:
    audit, pusher = AuditTrail(store.audit, clock), Pusher(store.ledger_connections, store.invoices, SEALER, no_call)
    return ExportRounds(store.export_schedules, store.exports, exports, places, pusher, audit, clock)


def new(**other: Any) -> NewSchedule:
    return replace(NewSchedule(ExportFormat.TEMPLATE, Cadence.DAILY, 18, PLACE, SETTINGS), **other)


@pytest.fixture
async def schedule(service: ScheduleService, account: Account) -> ExportSchedule:
    return await service.add(account.id, new(), ANN)


@pytest.mark.parametrize(
    ("cadence", "hour", "expected"),
    [
        # NOON is a Sunday, 12:00:07.
        (Cadence.DAILY, 18, "2026-05-17 18"),
        (Cadence.DAILY, 12, "2026-05-18 12"),
        (Cadence.WEEKLY, 0, "2026-05-18 00"),
        (Cadence.MONTHLY, 6, "2026-06-01 06"),
    ],
)
def test_the_next_run_is_the_next_moment_of_the_cadence(cadence: Cadence, hour: int, expected: str) -> None:
    at = next_run(cadence, hour, NOON)
    assert at == datetime.strptime(expected, "%Y-%m-%d %H").replace(tzinfo=NOON.tzinfo)
    assert next_run(cadence, hour, at) > at


class TestSchedules:
    async def test_begin_with_the_settings_of_the_last_export(
        self, service: ScheduleService, exports: ExportService, store: Store, account: Account
    ) -> None:
        with pytest.raises(InvalidParameter, match=r"settings\.columns"):
            await service.add(account.id, new(settings=None), ANN)
        await add(store, account)
        await exports.create(account.id, ExportRequest(ExportFormat.TEMPLATE, SETTINGS), ANN)
        assert (await service.add(account.id, new(settings=None), ANN)).settings == SETTINGS

    async def test_that_cannot_run_are_refused(self, service: ScheduleService, account: Account) -> None:
        with pytest.raises(UserError, match="no such folder"):
            await service.add(account.id, new(place="nowhere"), ANN)
        with pytest.raises(InvalidParameter, match="0 to 23"):
            await service.add(account.id, new(hour=24), ANN)
        with pytest.raises(InvalidParameter, match="e-mail"):
            await service.add_mailed(account.id, new(place="/etc"), ANN)
        with pytest.raises(LookupError):
            await service.add(new_id(), new(), ANN)
        assert await service.of_account(account.id) == []

    async def test_are_few(self, service: ScheduleService, account: Account) -> None:
        for _ in range(MAX_SCHEDULES):
            await service.add(account.id, new(), ANN)
        with pytest.raises(InvalidParameter, match="at most 20"):
            await service.add(account.id, new(), ANN)

    async def test_are_paused_resumed_and_removed(
        self, service: ScheduleService, store: Store, account: Account, schedule: ExportSchedule
    ) -> None:
        await service.set_paused(account.id, schedule.id, True, ANN)
        assert (await service.of_account(account.id))[0].due_at is None
        await service.set_paused(account.id, schedule.id, False, ANN)
        assert await service.of_account(account.id) == [schedule]
        await service.remove(account.id, schedule.id, ANN)
        for work in (service.remove(account.id, schedule.id, ANN), service.set_paused(new_id(), new_id(), True, ANN)):
            with pytest.raises(LookupError):
                await work
        entries = await store.audit.of_target(account.id, str(schedule.id), 9)
        assert [entry.action.partition(".")[2] for entry in entries] == ["removed", "resumed", "paused", "added"]


class TestRounds:
    async def test_what_is_due_is_exported_and_delivered_once(
        self,
        rounds: ExportRounds,
        store: Store,
        account: Account,
        places: Places,
        clock: Clock,
        schedule: ExportSchedule,
    ) -> None:
        invoice = await add(store, account)
        await rounds.run_round()
        assert places.taken == []
        clock.now = NOON.replace(hour=18, minute=1)
        for _ in range(2):
            await rounds.run_round()
        (export,) = (await store.exports.page(account.id, 5)).items
        assert (export.invoices, export.created_by) == ((invoice.id,), "schedule")
        ((place, name, content),) = places.taken
        assert (place, name, content) == (PLACE, export.file_name, b"number,total\r\n2026-17,129.70\r\n")
        assert export.delivery is not None
        assert (export.delivery.delivered_at, export.delivery.due_at) == (clock.now, None)
        (after,) = await store.export_schedules.of_account(account.id)
        assert after.due_at == NOON.replace(hour=18, minute=0, second=0, microsecond=0) + DAY
        assert (after.ran_at, after.problem) == (clock.now, "")

    async def test_with_nothing_to_export_there_is_no_problem(
        self, rounds: ExportRounds, store: Store, account: Account, clock: Clock, schedule: ExportSchedule
    ) -> None:
        clock.now += DAY
        await rounds.run_round()
        (after,) = await store.export_schedules.of_account(account.id)
        assert after.problem == ""
        assert (await store.exports.page(account.id, 5)).items == ()

    async def test_an_undelivered_file_is_tried_again_and_no_second_export(
        self,
        rounds: ExportRounds,
        store: Store,
        account: Account,
        places: Places,
        clock: Clock,
        schedule: ExportSchedule,
    ) -> None:
        await add(store, account)
        clock.now += DAY
        places.problem = "No space left"
        for _ in range(3):
            await rounds.run_round()
        (export,) = (await store.exports.page(account.id, 5)).items
        assert export.delivery is not None
        assert (export.delivery.tries, export.delivery.problem) == (1, "No space left")
        clock.now += timedelta(minutes=2)
        await rounds.run_round()
        places.problem = ""
        clock.now += timedelta(hours=7)
        await rounds.run_round()
        assert len(places.taken) == 1
        (same,) = (await store.exports.page(account.id, 5)).items
        assert same.delivery is not None
        assert (same.id, same.delivery.tries, same.delivery.problem) == (export.id, 3, "")
        entries = await store.audit.of_target(account.id, str(export.id), 9)
        assert [entry.action for entry in entries] == ["export.delivered", "export.not_delivered", "export.made"]

    async def test_after_a_week_a_person_decides(
        self,
        rounds: ExportRounds,
        exports: ExportService,
        store: Store,
        account: Account,
        places: Places,
        clock: Clock,
        schedule: ExportSchedule,
    ) -> None:
        await add(store, account)
        clock.now += DAY
        places.problem = "No space left"
        await rounds.run_round()
        (export,) = (await store.exports.page(account.id, 5)).items
        assert export.delivery is not None
        late = replace(export.delivery, tries=MAX_TRIES - 1)
        assert await store.exports.record_delivery(export, late)
        clock.now += DAY
        await rounds.run_round()
        known = await exports.get(account.id, export.id)
        assert known.delivery is not None
        assert (known.delivery.due_at, known.delivery.tries) == (None, MAX_TRIES)
        places.problem = ""
        await exports.deliver_again(account.id, export.id, ANN)
        await rounds.run_round()
        assert len(places.taken) == 1
        with pytest.raises(ExportNotFound):
            await exports.deliver_again(account.id, new_id(), ANN)

    async def test_settings_that_no_longer_fit_are_shown(
        self, rounds: ExportRounds, service: ScheduleService, store: Store, account: Account, clock: Clock
    ) -> None:
        datev = {"consultant": 1001, "client": 1, "expense_account": "4980", "vendor_account": "70001"}
        schedule = await service.add(
            account.id, new(format=ExportFormat.DATEV, settings=datev | {"tax_codes": {"19": "9", "7": "8"}}), ANN
        )
        await add(store, account)
        await add(store, account, number="8", issued_at=NOON.date().replace(year=2025))
        clock.now += DAY
        await rounds.run_round()
        (after,) = await store.export_schedules.of_account(account.id)
        assert "one fiscal year" in after.problem
        (failed, _) = await store.audit.of_target(account.id, str(schedule.id), 9)
        assert failed.action == "export_schedule.failed"

    async def test_a_run_that_broke_off_is_repeated(
        self,
        rounds: ExportRounds,
        store: Store,
        account: Account,
        places: Places,
        clock: Clock,
        schedule: ExportSchedule,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The storage goes away after the export is made: its invoices are locked, and so are in no second one."""
        await add(store, account)
        clock.now += DAY

        async def lost(*_: object) -> bool:
            raise StoreUnreachable

        with monkeypatch.context() as broken:
            broken.setattr(type(store.export_schedules), "record_run", lost)
            await rounds.run_round()
        assert len((await store.exports.page(account.id, 5)).items) == 1
        clock.now += timedelta(minutes=16)
        await rounds.run_round()
        assert len((await store.exports.page(account.id, 5)).items) == 1
        assert len(places.taken) == 1
