"""What has happened to an invoice, newest first."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from serve_app.domain.audit import AuditEntry
from serve_app.domain.event import EventType, LoggedEvent
from serve_app.domain.invoice import Invoice, Source
from serve_app.services.bundle import Services

_EVENTS = 20
_ENTRIES = 50
_SOURCES = {Source.APP: "Sent in the web application", Source.EMAIL: "Came by mail", Source.API: "Sent by the API"}
_ACTS: Mapping[str, tuple[str, str]] = {
    "invoice.paid": ("Marked as paid", "check"),
    "invoice.unpaid": ("Marked as unpaid", "undo-2"),
    "invoice.tagged": ("Tag changed", "tag"),
    "invoice.sent_for_approval": ("Sent for approval", "mail"),
    "invoice.read_again": ("Asked to be read again", "refresh-cw"),
    "invoice.sent": ("Sent", "upload"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened; `who` is empty if nobody did it, `event` the id of the event that it made."""

    at: datetime
    words: str
    icon: str
    who: str = ""
    event: str = ""


async def history_of(services: Services, account_id: UUID, invoice: Invoice) -> list[Step]:
    """The steps, newest first."""
    events = await services.events.of_invoice(account_id, invoice.id, _EVENTS)
    entries = await services.people.audit.of_target(account_id, str(invoice.id), _ENTRIES)
    steps = [*map(_of_event, events), *map(_of_entry, entries)]
    steps.append(Step(invoice.created_at, _SOURCES[invoice.source], "upload"))
    return sorted(steps, key=lambda step: step.at, reverse=True)


def _of_event(event: LoggedEvent) -> Step:
    if event.type is EventType.COMPLETED:
        return Step(event.created_at, "Read", "circle-check", event=event.id)
    return Step(event.created_at, "Reading failed", "circle-alert", event=event.id)


def _of_entry(entry: AuditEntry) -> Step:
    words, icon = _ACTS.get(entry.action, (entry.action.partition(".")[2].replace("_", " ").capitalize(), "activity"))
    return Step(entry.at, words, icon, entry.actor.name)
