"""Invoices as their account sees and changes them."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.approval import ApprovalTimes
from serve_app.domain.earlier_invoice import EarlierInvoice
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import InvoiceQuery, ListPage, Order, Position, Total
from serve_app.domain.record import Amendment, InvoiceRecord
from serve_app.domain.vendor import IdentifierKind, MergedVendor, MonthSpend, Vendor, VendorIdentifier

MOST_MODELS = 50
"""How many pairs of models are named."""


class Invoices(Protocol):
    """None means that the id is unknown or belongs to another account."""

    async def get(self, account_id: UUID, invoice_id: UUID) -> Invoice | None: ...

    async def find_record(self, account_id: UUID, invoice_id: UUID) -> InvoiceRecord | None:
        """The same, with the fields that only the service knows."""
        ...

    async def account_of(self, invoice_id: UUID) -> UUID | None:
        """The account that has the invoice, for operators, who know only its id."""
        ...

    async def is_or_was(self, account_id: UUID, invoice_id: UUID) -> bool:
        """Whether the account has the invoice, or had it until it was erased at most ERASED_ID_LIFE ago."""
        ...

    async def of_file(self, account_id: UUID, sha256: str, since: datetime) -> Invoice | None:
        """The first invoice, of those created since then, whose file came in with these bytes."""
        ...

    async def page(
        self, account_id: UUID, query: InvoiceQuery, limit: int, after: UUID | None = None
    ) -> ListPage[Invoice]:
        """Matching invoices, newest first, starting strictly after the id `after` in that order."""
        ...

    async def earlier(self, account_id: UUID, vendor_id: UUID, most: int) -> list[EarlierInvoice]:
        """Complete invoices of a supplier that nobody has rejected, newest first."""
        ...

    async def sorted_page(
        self, account_id: UUID, query: InvoiceQuery, order: Order, limit: int, after: Position | None = None
    ) -> ListPage[Invoice]:
        """Matching invoices in this order, starting strictly after a position in it."""
        ...

    async def models(self, account_id: UUID) -> list[str]:
        """What `InvoiceQuery.models` can ask for: the pairs of models that have read invoices of the account, by name,
        MOST_MODELS at most."""
        ...

    async def totals(self, account_id: UUID, query: InvoiceQuery, at_most: int) -> list[Total]:
        """Matching invoices by currency, of which the newest `at_most` are counted."""
        ...

    async def amend(
        self,
        account_id: UUID,
        invoice_id: UUID,
        amendment: Amendment,
        now: datetime,
        change_id: UUID | None = None,
    ) -> Invoice | None:
        """Make the changes together; `paid_at` is the moment the invoice was first marked as paid. Raises ServiceError
        400 `invoice_not_complete` if `paid` is given and the invoice is not complete. With a `change_id`, it is made
        once, and noted in `InvoiceRecord.change_ids` by the same write."""
        ...

    async def request_approval(
        self,
        account_id: UUID,
        invoice_id: UUID,
        email: str,
        token_hash: str,
        now: datetime,
        change_id: UUID | None = None,
    ) -> Invoice | None:
        """Set `approval_status` to `requested`; this voids an earlier request. Raises NotComplete. `change_id` as for
        `amend`."""
        ...

    async def find_approval(self, account_id: UUID, invoice_id: UUID, token_hash: str) -> Invoice | None:
        """The invoice whose open request has this token."""
        ...

    async def answer_approval(
        self, account_id: UUID, invoice_id: UUID, token_hash: str, approved: bool, now: datetime
    ) -> Invoice | None:
        """Answer the request that has this token, once; None if there is no such open request."""
        ...

    async def withdraw_approval(self, account_id: UUID, invoice_id: UUID, now: datetime) -> Invoice | None:
        """Take the open request back, so that its link does nothing; None if there is none."""
        ...

    async def approval_times(self, account_id: UUID, invoice_ids: Collection[UUID]) -> Mapping[UUID, ApprovalTimes]:
        """When approval of these invoices was asked for and answered, for those of the account's."""
        ...


class Vendors(Protocol):
    """Vendors, derived from the complete invoices. A vendor that was merged into another one is listed no more: its
    invoices, and later ones of its name, count for the kept vendor and name it."""

    async def by_spend(self, account_id: UUID, limit: int) -> list[Vendor]:
        """Highest `total_billed` first, then the oldest first; vendors without an invoice are left out."""
        ...

    async def page(self, account_id: UUID, limit: int, after: UUID | None = None, part: str = "") -> ListPage[Vendor]:
        """The same list, starting strictly after the vendor `after`; of those alone whose name has this part, in any
        case, with or without accents."""
        ...

    async def get(self, account_id: UUID, vendor_id: UUID) -> Vendor | None: ...

    async def spend(self, account_id: UUID, vendor_ids: Collection[UUID]) -> Mapping[UUID, list[MonthSpend]]:
        """What the vendors' complete invoices bill, duplicates left out, by month and currency; oldest month first."""
        ...

    async def identifiers(
        self, account_id: UUID, vendor_ids: Collection[UUID]
    ) -> Mapping[UUID, list[VendorIdentifier]]:
        """What the vendors' complete invoices print, in the order of `Vendor.identifiers`."""
        ...

    async def identified_by(
        self, account_id: UUID, kind: IdentifierKind, value: str, besides: UUID | None = None
    ) -> UUID | None:
        """The vendor whose invoices have this tax number or account, except rejected ones and those of the vendor
        `besides`; None if there is none, or more than one."""
        ...

    async def rename(self, account_id: UUID, vendor_id: UUID, name: str | None) -> bool:
        """Call the vendor so, whatever invoices print; None: as they print it. False if the account has no such
        vendor."""
        ...

    async def merge(self, account_id: UUID, kept_id: UUID, merged_id: UUID) -> bool:
        """Let the invoices of `merged_id`, and of all that were merged into it, count for `kept_id`. Can be repeated.
        False if they are not two vendors of the account, or if the kept one is itself merged into another one."""
        ...

    async def split(self, account_id: UUID, merged_id: UUID) -> bool:
        """Take this vendor out of the one that it was merged into, with the invoices that print its name. False if it
        was not merged."""
        ...

    async def merged(self, account_id: UUID, kept_id: UUID) -> list[MergedVendor]:
        """What was merged into the vendor, by name."""
        ...

    async def kept_id(self, account_id: UUID, vendor_id: UUID) -> UUID:
        """The vendor that this one was merged into, else itself."""
        ...

    async def id_of(self, account_id: UUID, key: str) -> UUID | None:
        """The vendor whose invoices print this normalised name; of merged vendors the kept one. None if there is
        none."""
        ...

    async def keys_alike(self, account_id: UUID, keys: Collection[str]) -> set[str]:
        """The normalised names of all vendors that are merged with one of these, themselves included; nothing of
        vendors that are not merged."""
        ...
