"""Events: what receivers are sent when an extraction run has finished."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self
from uuid import UUID

from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice, Resource, Status


class EventType(StrEnum):
    COMPLETED = "invoice.completed"
    FAILED = "invoice.failed"
    REVIEWED = "invoice.reviewed"
    """A person has confirmed, corrected or rejected an invoice; only for endpoints that ask for it by name."""


ENDS_OF_RUNS = (EventType.COMPLETED, EventType.FAILED)
"""The types that every list and every endpoint gets unless it asks for others."""


_TYPE_OF = {Status.COMPLETE: EventType.COMPLETED, Status.FAILED: EventType.FAILED}


class EventData(Resource):
    """The invoice as it stood when the run finished."""

    invoice: Invoice


class Event(Resource):
    """A webhook payload; ids sort by time."""

    id: str
    type: EventType
    created_at: datetime
    data: EventData

    @classmethod
    def about(cls, invoice: Invoice, now: datetime, type: EventType | None = None) -> Self:
        """A new event about the invoice, by default that its run has finished. Raises KeyError for an unfinished
        invoice without a type."""
        return cls(
            id=f"evt_{new_id()}",
            type=type or _TYPE_OF[invoice.status],
            created_at=now,
            data=EventData(invoice=invoice),
        )


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event as it is stored: `payload` is its JSON, which every delivery and every list repeats byte for byte."""

    id: str
    account_id: UUID
    type: EventType
    created_at: datetime
    payload: str

    @classmethod
    def of(cls, event: Event, account_id: UUID) -> Self:
        """The event, ready to be stored."""
        return cls(event.id, account_id, event.type, event.created_at, event.model_dump_json())

    def parsed(self) -> Event:
        """The event parsed from the payload, without fields that a later version has added."""
        return Event.model_validate_json(self.payload, extra="ignore")


@dataclass(frozen=True, slots=True)
class Spread:
    """How many invoices had events to log, and for how many endpoints they are."""

    invoices: int
    deliveries: int
