"""Schedules of exports: what people do with them, and the rounds that run them."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import ExportNotFound, InvalidParameter, NothingToExport, ServiceError
from serve_app.domain.export import Export, ExportDelivery, ExportFormat
from serve_app.domain.export_schedule import MAX_SCHEDULES, Cadence, ExportSchedule, next_run
from serve_app.domain.ids import new_id
from serve_app.domain.ledger_connection import ledger_of
from serve_app.domain.user_error import UserError
from serve_app.services.exports.formats.registry import FORMATS
from serve_app.services.exports.ports import MAILTO, DeliveryFailed, ExportPlaces
from serve_app.services.exports.push import Pusher
from serve_app.services.exports.service import ExportRequest, ExportService
from serve_app.services.exports.settings import checked, stored
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Exports, ExportSchedules

LEASE = timedelta(minutes=15)
"""How long a process may take for one run or one delivery until another process may try."""
MAX_TRIES = 40
"""A delivery is tried for a little over a week."""
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=6)
_MOST_AT_ONCE = 100
_NO_FILE = "The file was removed, because one of its invoices was deleted"
_UNKNOWN = "there is no such schedule"
SCHEDULE = Actor(ActorKind.SERVICE, None, "schedule")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NewSchedule:
    """`settings` None: those of the last export in the format. `hour` is in UTC."""

    format: ExportFormat
    cadence: Cadence
    hour: int
    place: str
    settings: Mapping[str, Any] | None = None


class ScheduleService:
    """Adds, pauses and removes schedules."""

    def __init__(
        self,
        schedules: ExportSchedules,
        exports: ExportService,
        places: ExportPlaces,
        audit: AuditTrail,
        clock: Clock = utc_now,
    ) -> None:
        self._schedules = schedules
        self._exports = exports
        self._places = places
        self._audit = audit
        self._clock = clock

    async def of_account(self, account_id: UUID) -> list[ExportSchedule]:
        """The oldest first."""
        return await self._schedules.of_account(account_id)

    async def add(self, account_id: UUID, new: NewSchedule, actor: Actor) -> ExportSchedule:
        """The schedule, which runs from now on. Raises InvalidParameter for wrong settings, a wrong hour or too many
        schedules; UserError if nothing can be delivered to the place; LookupError if there is no such account."""
        if not 0 <= new.hour <= 23:
            raise InvalidParameter("hour: enter 0 to 23.", "hour")
        settings = new.settings
        if settings is None:
            settings = await self._exports.last_settings(account_id, new.format)
        settings = stored(checked(FORMATS[new.format].settings, settings))
        if len(await self._schedules.of_account(account_id)) >= MAX_SCHEDULES:
            raise InvalidParameter(f"An account has at most {MAX_SCHEDULES} schedules. Remove one first.")
        place, now, ledger = self._places.canonical(new.place), self._clock(), ledger_of(new.place)
        if ledger is not None and str(new.format) != str(ledger):
            raise InvalidParameter(f"place: {place} books exports in the format {ledger}.", "place")
        due_at = next_run(new.cadence, new.hour, now)
        of_account = new_id(), account_id, new.format, settings
        schedule = ExportSchedule(*of_account, new.cadence, new.hour, place, now, actor.name, due_at)
        if not await self._schedules.add(schedule):
            raise LookupError("there is no such account")
        details = {"format": str(new.format), "cadence": str(new.cadence), "hour": str(new.hour), "place": place}
        await self._audit.record(actor, account_id, "export_schedule.added", str(schedule.id), **details)
        return schedule

    async def add_mailed(self, account_id: UUID, new: NewSchedule, actor: Actor) -> ExportSchedule:
        """The same for those who have no access to the machines: the service opens folders and servers with keys of its
        own, so only operators name them."""
        if not new.place.startswith(MAILTO):
            raise InvalidParameter("place: enter an e-mail address.", "place")
        try:
            return await self.add(account_id, new, actor)
        except UserError:
            raise InvalidParameter("place: enter an e-mail address.", "place") from None

    async def set_paused(self, account_id: UUID, schedule_id: UUID, is_paused: bool, actor: Actor) -> None:
        """A schedule that goes on has its next run at the next moment of its cadence. Raises
        LookupError."""
        schedule = await self._get(account_id, schedule_id)
        due_at = None if is_paused else next_run(schedule.cadence, schedule.hour, self._clock())
        await self._schedules.set_due(account_id, schedule_id, due_at)
        action = "export_schedule.paused" if is_paused else "export_schedule.resumed"
        await self._audit.record(actor, account_id, action, str(schedule_id))

    async def remove(self, account_id: UUID, schedule_id: UUID, actor: Actor) -> None:
        """What it has exported stays. Raises LookupError."""
        if not await self._schedules.remove(account_id, schedule_id):
            raise LookupError(_UNKNOWN)
        await self._audit.record(actor, account_id, "export_schedule.removed", str(schedule_id))

    async def _get(self, account_id: UUID, schedule_id: UUID) -> ExportSchedule:
        for schedule in await self._schedules.of_account(account_id):
            if schedule.id == schedule_id:
                return schedule
        raise LookupError(_UNKNOWN)


class ExportRounds:
    """Makes the exports that are due, and delivers files. Any number of processes may do it: what is due is leased. A
    run that broke off is repeated; what it had exported is locked, and so is in no second export."""

    def __init__(
        self,
        schedules: ExportSchedules,
        exports: Exports,
        service: ExportService,
        places: ExportPlaces,
        pusher: Pusher,
        audit: AuditTrail,
        clock: Clock = utc_now,
    ) -> None:
        self._schedules = schedules
        self._exports = exports
        self._service = service
        self._places = places
        self._pusher = pusher
        self._audit = audit
        self._clock = clock

    async def run_round(self) -> None:
        """What is due now. An error is logged; what is left is due in a later round."""
        try:
            for step in (self._run_next, self._deliver_next):
                for _ in range(_MOST_AT_ONCE):
                    if not await step():
                        break
        except ServiceError as error:
            log.warning("scheduled exports wait: %s", error)
        except Exception as error:
            log.error("scheduled exports failed: %r", error, exc_info=error)

    async def _run_next(self) -> bool:
        """False if no schedule is due."""
        now = self._clock()
        schedule = await self._schedules.claim_due(now, now + LEASE)
        if schedule is None:
            return False
        problem = await self._make(schedule)
        due_at = next_run(schedule.cadence, schedule.hour, now)
        await self._schedules.record_run(schedule, due_at, now, problem)
        return True

    async def _make(self, schedule: ExportSchedule) -> str:
        """Export what is ready. Why it failed, for people; empty if it did not."""
        request = ExportRequest(schedule.format, schedule.settings, place=schedule.place)
        try:
            has_more = True
            while has_more:
                _, draft = await self._service.create(schedule.account_id, request, SCHEDULE)
                has_more = draft.has_more
        except NothingToExport:
            return ""
        except InvalidParameter as error:
            details = {"problem": error.message}
            target = str(schedule.id)
            await self._audit.record(SCHEDULE, schedule.account_id, "export_schedule.failed", target, **details)
            return error.message
        return ""

    async def _deliver_next(self) -> bool:
        """False if no delivery is due."""
        now = self._clock()
        export = await self._exports.claim_delivery(now, now + LEASE)
        if export is None or export.delivery is None:
            return False
        after = await self._tried(export, export.delivery)
        if await self._exports.record_delivery(export, after):
            await self._note(export, after)
        return True

    async def _tried(self, export: Export, delivery: ExportDelivery) -> ExportDelivery:
        """How the delivery is after one more try."""
        ledger = ledger_of(delivery.place)
        try:
            if ledger is not None:
                after = await self._pusher.push(export, delivery, ledger)
                # A program that takes so many bills a minute is no failure.
                has_progress = len(after.booked) > len(delivery.booked)
                return self._booked(export, replace(after, tries=0) if has_progress else after)
            _, content = await self._service.content(export.account_id, export.id)
            await self._places.deliver(delivery.place, export, content)
        except ExportNotFound:
            return replace(delivery, tries=delivery.tries + 1, problem=_NO_FILE, due_at=None)
        except DeliveryFailed as failure:
            return self._failed(delivery, str(failure))
        return replace(delivery, tries=delivery.tries + 1, problem="", due_at=None, delivered_at=self._clock())

    def _booked(self, export: Export, after: ExportDelivery) -> ExportDelivery:
        """How the delivery is after bills were booked."""
        now, tries = self._clock(), after.tries + 1
        if after.problem:
            return self._failed(after, after.problem)
        if any(id not in after.booked and id not in after.refused for id in export.invoices):
            return replace(after, due_at=now)
        if after.refused:
            problem = f"{len(after.refused)} of {len(export.invoices)} invoices were not booked"
            return replace(after, tries=tries, problem=problem, due_at=None)
        return replace(after, tries=tries, due_at=None, delivered_at=now)

    def _failed(self, delivery: ExportDelivery, problem: str) -> ExportDelivery:
        tries = delivery.tries + 1
        return replace(delivery, tries=tries, problem=problem, due_at=_next_try(self._clock(), tries))

    async def _note(self, export: Export, after: ExportDelivery) -> None:
        about = {"account_id": str(export.account_id), "export_id": str(export.id)}
        if after.problem:
            log.warning("export not delivered: %s", after.problem, extra=about)
        # The first failure and the last one; those between say the same.
        if after.delivered_at is not None or (after.problem and (after.tries == 1 or after.due_at is None)):
            action = "export.not_delivered" if after.problem else "export.delivered"
            details = {"place": after.place, "problem": after.problem or None}
            await self._audit.record(SCHEDULE, export.account_id, action, str(export.id), **details)


def _next_try(now: datetime, tries: int) -> datetime | None:
    if tries >= MAX_TRIES:
        return None
    return now + min(_FIRST_PAUSE * (1 << min(tries - 1, 20)), _LONGEST_PAUSE)
