"""Answers about events. Written by `python -m scripts.clients` from the OpenAPI document."""

from datetime import datetime

from invoices_client.models.base import Model
from invoices_client.models.enums import EventType
from invoices_client.models.invoices import Invoice


class EventData(Model):
    """The invoice as it was when the event happened."""

    invoice: Invoice
    """The invoice at the time of the event."""


class Event(Model):
    """A webhook payload; ids sort by time."""

    id: str
    """The id."""
    type: EventType
    """What happened."""
    livemode: bool
    """False in test mode."""
    created_at: datetime
    """When it was created."""
    data: EventData
    """The object of the event, or the entries of the list."""


class DeletedInvoice(Model):
    """What is left of a deleted invoice."""

    id: str
    """The id."""
    object: str
    """The type of the object."""
    deleted: bool
    """Always true."""


class DeletedEventData(Model):
    """The deleted invoice: its id only."""

    invoice: DeletedInvoice
    """The invoice at the time of the event."""


class DeletedEvent(Model):
    """The payload of `invoice.deleted`; it is kept as long as the ids of what was deleted (ERASED_ID_LIFE)."""

    id: str
    """The id."""
    type: str
    """What happened."""
    livemode: bool
    """False in test mode."""
    created_at: datetime
    """When it was created."""
    data: DeletedEventData
    """The object of the event, or the entries of the list."""


class EventList(Model):
    """Events, newest first. Without `type`, all are of the types `invoice.completed` and `invoice.failed`."""

    object: str
    """The type of the object."""
    data: list[Event | DeletedEvent] = []
    """The object of the event, or the entries of the list."""
    has_more: bool
    """Whether more entries follow."""
