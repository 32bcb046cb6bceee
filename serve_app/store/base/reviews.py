"""What people say about invoices."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.coding import CodingExample
from serve_app.domain.invoice import Field, Invoice
from serve_app.domain.memory import Keys, StoredExample, VendorExample
from serve_app.domain.order_match import OrderMatch
from serve_app.domain.order_review import with_order_match
from serve_app.domain.own_field_example import OwnFieldExample
from serve_app.domain.quality import Threshold
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Review, overlaid


@dataclass(frozen=True, slots=True)
class NewReview:
    """What people say about an invoice from now on, `at` this moment.

    `over` is the `review_revision` of the record that they looked at; `emits_event` also notes an `invoice.reviewed`
    event, beside the `invoice.updated` of every review;
    `example` is what the invoice teaches about its vendor, `coding` what it teaches about codes, `own_fields`
    what about own fields; None: nothing.
    `order_match` replaces the match with purchase orders; None: it stays.
    """

    review: Review
    over: int
    at: datetime
    emits_event: bool = False
    example: VendorExample | None = None
    coding: CodingExample | None = None
    order_match: OrderMatch | None = None
    own_fields: OwnFieldExample | None = None

    def over_read(self, read: Invoice) -> tuple[Invoice, Review]:
        """What `overlaid` makes of the invoice as it was read."""
        if self.order_match is not None:
            read = with_order_match(read, self.order_match)
        return overlaid(read, self.review)


class Reviews(Protocol):
    """None means that the id is unknown or belongs to another account. What was said is in the record that
    `Invoices.find_record` answers."""

    async def save(self, account_id: UUID, invoice_id: UUID, new: NewReview) -> InvoiceRecord | None:
        """Replace the review. In the same write the invoice takes its values, and its duplicates, vendors and filters
        follow.
        Raises ReviewChanged if the revision is another one, NotComplete, InvoiceExported if it would change values of
        an exported invoice."""
        ...

    async def decided(
        self, account_id: UUID, limit: int, after: tuple[datetime, UUID] | None = None
    ) -> list[InvoiceRecord]:
        """Invoices that a person has confirmed or rejected, in the order of these decisions, starting strictly after a
        moment of decision and the id that was decided on then."""
        ...

    async def unseen(self, account_id: UUID, since: datetime, at_most: int) -> int:
        """How many invoices that came since then were verified automatically, and nobody had to look at; counted up to
        `at_most`."""
        ...


class Memory(Protocol):
    """What confirmed invoices teach; `Reviews.save` writes it."""

    async def examples(self, account_id: UUID, keys: Keys, limit: int) -> list[StoredExample]:
        """The examples that have any of these keys, of the invoices that were decided on last."""
        ...

    async def forget(self, account_id: UUID, invoice_ids: Collection[UUID]) -> int:
        """Remove the examples of these invoices, which stay as they are; returns how many had one."""
        ...


class Thresholds(Protocol):
    """The probability from which on an account's fields are `high`, where it is not the calibration's."""

    async def of_account(self, account_id: UUID) -> Mapping[Field, Threshold]: ...

    async def rise(self, account_id: UUID, field: Field, threshold: Threshold) -> bool:
        """Raise the threshold; False if it is as high already, or if the account is gone."""
        ...

    async def reset(self, account_id: UUID, field: Field) -> bool:
        """Return to the calibration's threshold; False if that was in force."""
        ...
