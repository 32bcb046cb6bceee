"""How long things are kept, and the receipts of what was removed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.archive import DeliveredEvent
from serve_app.domain.erased import Erased
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.retention import Receipt, Retention


class RetentionStore(Protocol):
    """Rules go with their account; receipts stay, because they prove that it went."""

    async def set_rule(self, account_id: UUID, rule: Retention) -> bool:
        """Replace the account's rule; False if there is no such account."""
        ...

    async def rules(self, account_ids: list[UUID] | None = None) -> Mapping[UUID, Retention]:
        """The rules of these accounts, or all; accounts without one are not among them."""
        ...

    async def oldest_events(self, account_id: UUID, limit: int, after: str | None = None) -> list[DeliveredEvent]:
        """The account's oldest events with their deliveries, without test events, strictly after the id `after`."""
        ...

    async def remove_archived(self, account_id: UUID, archived: Sequence[DeliveredEvent], now: datetime) -> Erased:
        """Remove deliveries that have not changed since they were read, and the events of which no delivery is left;
        the ids of these are recorded for ERASED_ID_LIFE. It can be repeated after a crash."""
        ...

    async def oldest_with_documents(self, account_id: UUID, limit: int) -> list[InvoiceRecord]:
        """The account's oldest invoices after those whose documents are known to be removed."""
        ...

    async def note_document_gone(self, record: InvoiceRecord, now: datetime) -> bool:
        """Note of all invoices of the file that their document is about to be removed, with what their runs saw: none
        of them is read again from now on. False while one of them is not finished; the others may be recorded."""
        ...

    async def documents_gone_until(self, record: InvoiceRecord) -> None:
        """The documents of this invoice and of all older ones of its account are removed."""
        ...

    async def put_receipt(self, receipt: Receipt) -> None:
        """Add the receipt, or replace the one with its id."""
        ...

    async def receipts(self, limit: int, account_id: UUID | None = None, after: UUID | None = None) -> list[Receipt]:
        """Newest first, of one account or all, starting strictly after the id `after`."""
        ...
