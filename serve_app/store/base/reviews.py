"""What people say about invoices."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.invoice import Field
from serve_app.domain.memory import Keys, Lesson, Taught
from serve_app.domain.quality import Threshold
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Review


class Reviews(Protocol):
    """None means that the id is unknown or belongs to another account. What was said is in the record that
    `Invoices.find_record` answers."""

    async def save(
        self,
        account_id: UUID,
        invoice_id: UUID,
        review: Review,
        *,
        over: int,
        now: datetime,
        is_told: bool,
        lesson: Lesson | None = None,
    ) -> InvoiceRecord | None:
        """Replace the review, of which `over` is the record's `review_revision`. In the same write the invoice takes
        its values, and its duplicates, vendors and filters follow; `is_told` also notes an `invoice.reviewed` event.
        `lesson` is what the invoice teaches from now on; None: nothing.
        Raises ReviewChanged if the revision is another one, NotComplete."""
        ...

    async def decided(
        self, account_id: UUID, limit: int, after: tuple[datetime, UUID] | None = None
    ) -> list[InvoiceRecord]:
        """Invoices that a person has confirmed or rejected, in the order of these decisions, starting strictly after a
        moment of decision and the id that was decided on then."""
        ...


class Memory(Protocol):
    """What confirmed invoices teach; `Reviews.save` writes it."""

    async def lessons(self, account_id: UUID, keys: Keys, limit: int) -> list[Taught]:
        """The lessons that have any of these keys, of the invoices that were decided on last."""
        ...

    async def forget(self, account_id: UUID, invoice_ids: Collection[UUID]) -> int:
        """Remove the lessons of these invoices, which stay as they are; returns how many had one."""
        ...


class Thresholds(Protocol):
    """From which chance on fields of an account are `high`, where that differs from the calibration."""

    async def of_account(self, account_id: UUID) -> Mapping[Field, Threshold]: ...

    async def rise(self, account_id: UUID, field: Field, threshold: Threshold) -> bool:
        """Set a higher threshold; False if it has as high a one already, or the account is gone."""
        ...

    async def reset(self, account_id: UUID, field: Field) -> bool:
        """Return to the calibration; False if it was that."""
        ...
