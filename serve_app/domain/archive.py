"""Events that have left the store for a file each, with their deliveries."""

from dataclasses import dataclass
from uuid import UUID

from serve_app.domain.event import EventType, LoggedEvent
from serve_app.domain.webhook import Delivery, DeliveryState

ARCHIVE = "archive"
"""The folder of the files with archived events. No account has this name."""


@dataclass(frozen=True, slots=True)
class DeliveredEvent:
    """An event with its deliveries."""

    event: LoggedEvent
    deliveries: tuple[Delivery, ...]

    @property
    def is_settled(self) -> bool:
        """Whether no attempt follows, unless somebody asks for one."""
        return all(delivery.state is not DeliveryState.PENDING for delivery in self.deliveries)


def archive_folder_of(account_id: UUID, invoice_id: UUID) -> str:
    """Where the archived events of an invoice are: with the invoice they are removed as a folder."""
    return f"{ARCHIVE}/{account_id}/{invoice_id}"


def archive_key_of(account_id: UUID, invoice_id: UUID, event: LoggedEvent) -> str:
    """The file of one event, which its name tells with its type: `.../019e2f3a-...-completed`."""
    return f"{archive_folder_of(account_id, invoice_id)}/{event.id.removeprefix('evt_')}-{event.type.partition('.')[2]}"


def is_archived(key: str) -> bool:
    """Whether it is the key of an archived event."""
    return key.startswith(f"{ARCHIVE}/")


def archived_event(key: str) -> tuple[str, str, EventType]:
    """The invoice, the event's id and its type, of a key that `archive_key_of` made."""
    _, _, invoice, name = key.split("/")
    id, _, type = name.rpartition("-")
    return invoice, f"evt_{id}", EventType(f"invoice.{type}")
