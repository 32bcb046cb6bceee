"""What people say about invoices."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Review


class Reviews(Protocol):
    """None means that the id is unknown or belongs to another account. What was said is in the record that
    `Invoices.find_record` answers."""

    async def save(
        self, account_id: UUID, invoice_id: UUID, review: Review, *, over: int, now: datetime, is_told: bool
    ) -> InvoiceRecord | None:
        """Replace the review, of which `over` is the record's `review_revision`. In the same write the invoice takes
        its values, and its duplicates, vendors and filters follow; `is_told` also notes an `invoice.reviewed` event.
        Raises ReviewChanged if the revision is another one, NotComplete."""
        ...

    async def decided(
        self, account_id: UUID, limit: int, after: tuple[datetime, UUID] | None = None
    ) -> list[InvoiceRecord]:
        """Invoices that a person has confirmed or rejected, in the order of these decisions, starting strictly after a
        moment of decision and the id that was decided on then."""
        ...
