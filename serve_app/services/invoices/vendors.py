"""An account's vendors."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.plain_text import one_line
from serve_app.domain.query import InvoiceQuery, ListPage
from serve_app.domain.vendor import CurrencyTotal, MergedVendor, MonthSpend, Vendor
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Vendors

MAX_NAME = 255
"""Characters of a name that a person gives."""


class VendorService:
    """Lists vendors, names them, and merges those that are one.

    Methods about one vendor raise LookupError if it is unknown or another account's. Every change goes into the audit
    trail.
    """

    def __init__(self, vendors: Vendors, audit: AuditTrail) -> None:
        self._vendors = vendors
        self._audit = audit

    async def list(self, account_id: UUID, limit: int) -> list[Vendor]:
        """Highest spend first."""
        return await self._vendors.by_spend(account_id, limit)

    async def page(self, account_id: UUID, limit: int, after: UUID | None = None, part: str = "") -> ListPage[Vendor]:
        """The same list, starting strictly after the vendor `after`; of those alone whose name has this part, in any
        case, with or without accents."""
        return await self._vendors.page(account_id, limit, after, part)

    async def list_after(self, account_id: UUID, limit: int, after: UUID) -> ListPage[Vendor]:
        """The page that follows a vendor. Raises InvalidParameter if the account has no such vendor with invoices."""
        after = await self.kept_id(account_id, after)
        if await self._vendors.get(account_id, after) is None:
            raise InvalidParameter("starting_after: there is no vendor with this id.", "starting_after")
        return await self._vendors.page(account_id, limit, after)

    async def with_totals(self, account_id: UUID, vendors: Sequence[Vendor]) -> Sequence[Vendor]:
        """The vendors with their sums by currency."""
        spend = await self._vendors.spend(account_id, [vendor.id for vendor in vendors])
        return [vendor.model_copy(update={"totals": _totals(spend.get(vendor.id, ()))}) for vendor in vendors]

    async def with_identifiers(self, account_id: UUID, vendors: Sequence[Vendor]) -> Sequence[Vendor]:
        """The vendors with their tax numbers, accounts and domains."""
        found = await self._vendors.identifiers(account_id, [vendor.id for vendor in vendors])
        return [vendor.model_copy(update={"identifiers": found.get(vendor.id, [])}) for vendor in vendors]

    async def get(self, account_id: UUID, vendor_id: UUID) -> Vendor:
        """Raises LookupError, also if the vendor has no invoice any more or was merged into another one."""
        vendor = await self._vendors.get(account_id, vendor_id)
        if vendor is None:
            raise LookupError(f"the account has no vendor {vendor_id}")
        return vendor

    async def spend(self, account_id: UUID, vendor_ids: Collection[UUID]) -> Mapping[UUID, Sequence[MonthSpend]]:
        """What the vendors bill by month and currency, without duplicates; oldest month first."""
        return await self._vendors.spend(account_id, vendor_ids)

    async def kept_id(self, account_id: UUID, vendor_id: UUID) -> UUID:
        """The vendor that this one was merged into, else itself, whether or not there is one."""
        return await self._vendors.kept_id(account_id, vendor_id)

    async def with_kept(self, account_id: UUID, query: InvoiceQuery) -> InvoiceQuery:
        """The query with the kept vendor in place of one that was merged into it."""
        if query.vendor_id is None:
            return query
        return replace(query, vendor_id=await self.kept_id(account_id, query.vendor_id))

    async def merged(self, account_id: UUID, vendor_id: UUID) -> Sequence[MergedVendor]:
        """What was merged into the vendor, by name."""
        return await self._vendors.merged(account_id, vendor_id)

    async def rename(self, account_id: UUID, vendor_id: UUID, name: str, actor: Actor) -> None:
        """Call the vendor so, whatever its invoices print; an empty name: as they print it. Raises InvalidParameter for
        a name that is too long."""
        plain = one_line(name)
        if len(plain) > MAX_NAME:
            raise InvalidParameter(f"A name has at most {MAX_NAME} characters.")
        if not await self._vendors.rename(account_id, vendor_id, plain or None):
            raise LookupError(f"the account has no vendor {vendor_id}")
        await self._audit.record(actor, account_id, "vendor.renamed", str(vendor_id))

    async def merge(self, account_id: UUID, kept_id: UUID, merged_id: UUID, actor: Actor) -> None:
        """Let the invoices of one vendor, also later ones, count for another one. Raises InvalidParameter if they are
        no two vendors of the account that can be merged."""
        if not await self._vendors.merge(account_id, kept_id, merged_id):
            raise InvalidParameter("These vendors cannot be merged. Load the list again and select them once more.")
        await self._audit.record(actor, account_id, "vendor.merged", str(merged_id), into=kept_id)

    async def split(self, account_id: UUID, merged_id: UUID, actor: Actor) -> None:
        """Make a merged vendor one of its own again, with the invoices that print its name. Raises LookupError if it is
        not merged."""
        if not await self._vendors.split(account_id, merged_id):
            raise LookupError(f"the account has no merged vendor {merged_id}")
        await self._audit.record(actor, account_id, "vendor.split", str(merged_id))


def _totals(months: Sequence[MonthSpend]) -> Sequence[CurrencyTotal]:
    sums: dict[str | None, Decimal] = defaultdict(Decimal)
    for month in months:
        sums[month.currency] += month.total
    largest_first = sorted(sums.items(), key=lambda total: (-total[1], total[0] or ""))
    return [CurrencyTotal(currency=currency, amount=amount) for currency, amount in largest_first]
