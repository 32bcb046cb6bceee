"""What has happened to an invoice, newest first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from serve_app.domain.audit import AuditEntry
from serve_app.domain.event import EventType, LoggedEvent
from serve_app.domain.invoice import Invoice, ReviewStatus, Source
from serve_app.domain.review_tables import LINE_ITEMS, TAX_LINES
from serve_app.services.bundle import Services
from serve_app.web.review.fields import DETAILS, HEADER

_EVENTS = 20
_ENTRIES = 50
_SOURCES = {
    Source.APP: "Sent in the web application",
    Source.EMAIL: "Received by e-mail",
    Source.API: "Sent through the API",
}
_RUNS: Mapping[EventType, tuple[str, str]] = {
    EventType.COMPLETED: ("Read", "circle-check"),
    EventType.FAILED: ("Could not be read", "circle-alert"),
}
"""Other events repeat what the audit trail tells with the person."""
_ACTS: Mapping[str, tuple[str, str]] = {
    "invoice.paid": ("Marked as paid", "check"),
    "invoice.unpaid": ("Marked as unpaid", "undo-2"),
    "invoice.tagged": ("Tag changed", "tag"),
    "invoice.sent_for_approval": ("Sent for approval", "mail"),
    "invoice.read_again": ("Queued to be read again", "refresh-cw"),
    "invoice.sent": ("Sent", "upload"),
    "invoice.commented": ("Commented", "message-square"),
    "invoice.confirmed": ("Confirmed", "circle-check"),
    "invoice.rejected": ("Rejected", "x"),
    "invoice.reopened": ("Reopened", "undo-2"),
    "invoice.check_confirmed": ("Alert confirmed", "circle-check"),
    "invoice.check_reopened": ("Confirmation of an alert withdrawn", "undo-2"),
}
_OF_FIELDS: Mapping[str, tuple[str, str]] = {
    "invoice.corrected": ("Corrected {}", "list-checks"),
    "invoice.checked": ("Checked {}", "check"),
    "invoice.undone": ("Change of {} undone", "undo-2"),
    "invoice.redone": ("Change of {} redone", "redo-2"),
}
_FIELDS: Mapping[str, str] = {
    **{name: label for name, (label, _) in {**HEADER, **DETAILS}.items()},
    LINE_ITEMS: "Lines",
    TAX_LINES: "Tax by rate",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened; `who` is empty if nobody did it, `event` the id of the event that it made, `reason` what
    the person said."""

    at: datetime
    words: str
    icon: str
    who: str = ""
    event: str = ""
    reason: str = ""


async def history_of(services: Services, account_id: UUID, invoice: Invoice) -> list[Step]:
    """The steps, newest first."""
    events = await services.events.of_invoice(account_id, invoice.id, _EVENTS)
    entries = await services.people.audit.of_target(account_id, str(invoice.id), _ENTRIES)
    # What people do follows a run of the same moment.
    steps = [*_of_entries(entries, invoice), *(_of_run(event) for event in events if event.type in _RUNS)]
    steps.append(Step(invoice.created_at, _SOURCES[invoice.source], "upload"))
    return sorted(steps, key=lambda step: step.at, reverse=True)


def _of_run(event: LoggedEvent) -> Step:
    words, icon = _RUNS[event.type]
    return Step(event.created_at, words, icon, event=event.id)


def _of_entries(entries: Sequence[AuditEntry], invoice: Invoice) -> Iterable[Step]:
    """A step for each, newest first; what one person does to fields one after the other is one step."""
    for _, group in groupby(entries, key=_kind_of):
        same = list(group)
        yield from [_of_fields(same)] if same[0].action in _OF_FIELDS else [_of_act(each, invoice) for each in same]


def _kind_of(entry: AuditEntry) -> tuple[str, str]:
    return entry.action, entry.actor.name


def _of_fields(entries: Sequence[AuditEntry]) -> Step:
    names = [name for entry in reversed(entries) for name in entry.details.get("fields", "").split(", ") if name]
    labels = [_in_a_sentence(_FIELDS.get(name, name)) for name in dict.fromkeys(names)]
    words, icon = _OF_FIELDS[entries[0].action]
    return Step(entries[0].at, words.format(", ".join(labels) or "values"), icon, entries[0].actor.name)


def _in_a_sentence(label: str) -> str:
    return label if label.isupper() else label[:1].lower() + label[1:]


def _of_act(entry: AuditEntry, invoice: Invoice) -> Step:
    usual = entry.action.partition(".")[2].replace("_", " ").capitalize(), "activity"
    words, icon = _ACTS.get(entry.action, usual)
    return Step(entry.at, words, icon, entry.actor.name, reason=_reason_of(entry, invoice))


def _reason_of(entry: AuditEntry, invoice: Invoice) -> str:
    """That of the rejection that holds: the trail has no texts of people."""
    review = invoice.review
    is_it = entry.action == "invoice.rejected" and review.status is ReviewStatus.REJECTED
    return (review.reason or "") if is_it and review.at is not None and entry.at >= review.at else ""
