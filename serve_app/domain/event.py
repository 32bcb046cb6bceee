"""Events: what receivers are sent when an extraction run has finished, or an invoice has changed."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal, Self, TypeAlias
from uuid import UUID

from pydantic import TypeAdapter

from serve_app.domain.ids import derived_id, new_id
from serve_app.domain.invoice import Invoice, Status
from serve_app.domain.livemode import is_live
from serve_app.domain.resource import Resource


class EventType(StrEnum):
    COMPLETED = "invoice.completed"
    FAILED = "invoice.failed"
    REVIEWED = "invoice.reviewed"
    """A person has confirmed, corrected or rejected an invoice; only for endpoints that ask for it by name."""
    UPDATED = "invoice.updated"
    """An invoice has changed without a run: paid, tag, approval, review, place in its file; only if asked for."""
    DELETED = "invoice.deleted"
    """An invoice is gone; only if asked for."""


ENDS_OF_RUNS = (EventType.COMPLETED, EventType.FAILED)
"""The types that every list and every endpoint gets unless it asks for others."""


_TYPE_OF = {Status.COMPLETE: EventType.COMPLETED, Status.FAILED: EventType.FAILED}


class EventData(Resource):
    """The invoice as it was when the event happened."""

    invoice: Invoice


class Event(Resource):
    """A webhook payload; ids sort by time."""

    id: str
    type: EventType
    livemode: bool = True
    """False in test mode."""
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


class DeletedInvoice(Resource):
    """What is left of a deleted invoice."""

    id: UUID
    object: Literal["invoice"] = "invoice"
    deleted: Literal[True] = True


class DeletedEventData(Resource):
    """The deleted invoice: its id only."""

    invoice: DeletedInvoice


class DeletedEvent(Resource):
    """The payload of `invoice.deleted`; it is kept as long as the ids of what was deleted (ERASED_ID_LIFE)."""

    id: str
    type: Literal[EventType.DELETED] = EventType.DELETED
    livemode: bool = True
    """False in test mode."""
    created_at: datetime
    data: DeletedEventData

    @classmethod
    def about(cls, invoice_id: UUID, deleted_at: datetime) -> Self:
        """The event that the invoice was deleted at this moment: always the same one, however often it is made."""
        id = f"evt_{derived_id(deleted_at, f'{invoice_id} deleted')}"
        return cls(id=id, created_at=deleted_at, data=DeletedEventData(invoice=DeletedInvoice(id=invoice_id)))


AnyEvent: TypeAlias = Event | DeletedEvent
_ANY_EVENT: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event as it is stored: `payload` is its JSON, which every delivery and every list repeats byte for byte."""

    id: str
    account_id: UUID
    type: EventType
    created_at: datetime
    payload: str

    @classmethod
    def of(cls, event: AnyEvent, account_id: UUID) -> Self:
        """The event, ready to be stored."""
        event = event.model_copy(update={"livemode": is_live(UUID(str(account_id)))})
        return cls(event.id, account_id, event.type, event.created_at, event.model_dump_json())

    def parsed(self) -> AnyEvent:
        """The event parsed from the payload, without fields that a later version has added."""
        return _ANY_EVENT.validate_json(self.payload, extra="ignore")


@dataclass(frozen=True, slots=True)
class Spread:
    """How many invoices had events to log, and for how many endpoints they are."""

    invoices: int
    deliveries: int
