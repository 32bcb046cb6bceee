"""Compares a new invoice with the supplier's earlier ones."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from serve_app.domain.batch import Section
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.earlier_invoice import EarlierInvoice
from serve_app.domain.errors import ServiceError
from serve_app.domain.invoice import CheckKind, Details, Extraction, Source, SupplierCheck
from serve_app.domain.lookalikes import domain_looks_like, looks_like
from serve_app.domain.supplier_checks import (
    MOST_EARLIER,
    by_severity,
    foreign_check,
    has_name_of,
    is_new_supplier,
    lookalike_check,
    sender_check,
    supplier_checks,
)
from serve_app.domain.vendor import IdentifierKind, Vendor, domains_of
from serve_app.services.suppliers.list_file import SupplierListFile
from serve_app.services.suppliers.vies import Vies
from serve_app.store.base import Store
from serve_app.system.thread_pools import COMPUTING

log = logging.getLogger(__name__)


# Each costs a read of the store.
_MOST_MAILS = 5
MOST_VENDORS = 2_000
"""With so many vendors, those of the highest spend, the name of a new one is compared."""


class SupplierGuard:
    """Adds `checks` to invoices before they are saved."""

    def __init__(
        self,
        store: Store,
        clock: Clock = utc_now,
        listed: SupplierListFile | None = None,
        vies: Vies | None = None,
    ) -> None:
        self._invoices = store.invoices
        self._vendors = store.vendors
        self._mails = store.mails
        self._memberships = store.memberships
        self._clock = clock
        self._listed = listed or SupplierListFile(None)
        self._vies = vies

    async def apply(self, account_id: UUID, invoice_id: UUID, sections: Sequence[Section]) -> list[Section]:
        """The invoices of a document with what is unusual about each. `invoice_id` is the document's own, which may
        have been read before. While the store is out of reach, they have no checks of earlier invoices: the result is
        worth more."""
        sections = [_with_checks(each, await self._looked_up(each.extraction)) for each in sections]
        try:
            return [await self._checked(account_id, invoice_id, section) for section in sections]
        except ServiceError as error:
            log.warning("suppliers not compared: %r", error)
            return list(sections)

    async def _looked_up(self, extraction: Extraction) -> list[SupplierCheck]:
        """What others say about the supplier: the operator's list and the register of tax numbers."""
        found = (await self._listed.current()).checks(extraction)
        unregistered = None if self._vies is None else await self._vies.check(extraction)
        return found if unregistered is None else [*found, unregistered]

    async def _checked(self, account_id: UUID, invoice_id: UUID, section: Section) -> Section:
        extraction, more = section.extraction, list[SupplierCheck]()
        key = normalise_vendor(extraction.vendor_name or "")
        vendor_id = await self._vendors.id_of(account_id, key) if key else None
        kind, identified_id = await self._identified(account_id, vendor_id, extraction)
        named, identified = [
            [each for each in await self._earlier(account_id, id) if each.id != invoice_id]
            for id in (vendor_id, identified_id)
        ]
        earlier = named
        if is_new_supplier(named) or has_name_of(extraction, identified):
            earlier = sorted([*identified, *named], key=lambda each: each.created_at, reverse=True)[:MOST_EARLIER]
        elif (foreign := foreign_check(extraction, kind, named, identified)) is not None:
            more.append(foreign)
        if is_new_supplier(named) and identified_id is None:
            more += await self._lookalike(account_id, vendor_id, section)
        more += await self._sender(account_id, invoice_id, earlier)
        found = supplier_checks(extraction, earlier, self._clock().date())
        return _with_checks(section, [*more, *(check for check in found if check.kind not in _kinds(more))])

    async def _lookalike(self, account_id: UUID, vendor_id: UUID | None, section: Section) -> list[SupplierCheck]:
        """The check of a new supplier who looks like a known one."""
        if section.extraction.details is None:
            return []
        known = [each for each in await self._vendors.by_spend(account_id, MOST_VENDORS) if each.id != vendor_id]
        imitated = await COMPUTING.run(_imitated, section, known)
        if imitated is None:
            return []
        earlier = await self._earlier(account_id, imitated.id)
        check = lookalike_check(section.extraction, imitated.name, earlier)
        return [] if check is None else [check]

    async def _sender(
        self, account_id: UUID, invoice_id: UUID, earlier: Sequence[EarlierInvoice]
    ) -> list[SupplierCheck]:
        """The check of who sent the invoice, if it came by e-mail."""
        mailed = [each for each in earlier if each.source is Source.EMAIL][:_MOST_MAILS]
        sender = await self._sender_of(account_id, invoice_id) if mailed else None
        if sender is None:
            return []
        senders = {
            each.id: await self._sender_of(account_id, each.batch.id if each.batch else each.id) for each in mailed
        }
        known = {id: each for id, each in senders.items() if each is not None}
        own = [member.person.email for member in await self._memberships.of_account(account_id)]
        check = sender_check(sender, known, own)
        return [] if check is None else [check]

    async def _sender_of(self, account_id: UUID, invoice_id: UUID) -> str | None:
        """Who wrote the mail with this file, as it says itself."""
        mails = await self._mails.of_invoice(account_id, invoice_id)
        return mails[0].heading.original_sender or mails[0].heading.sender if mails else None

    async def _earlier(self, account_id: UUID, vendor_id: UUID | None) -> list[EarlierInvoice]:
        return [] if vendor_id is None else await self._invoices.earlier(account_id, vendor_id, MOST_EARLIER)

    async def _identified(
        self, account_id: UUID, vendor_id: UUID | None, extraction: Extraction
    ) -> tuple[IdentifierKind, UUID | None]:
        """Another vendor, who alone has the tax number, or if none is printed the account."""
        details = extraction.details or Details()
        kind = IdentifierKind.IBAN if details.vendor_tax_id is None else IdentifierKind.TAX_NUMBER
        value = details.vendor_tax_id or details.iban
        return kind, await self._vendors.identified_by(account_id, kind, value, vendor_id) if value else None


def _kinds(checks: Sequence[SupplierCheck]) -> set[CheckKind]:
    return {check.kind for check in checks}


def _with_checks(section: Section, more: Sequence[SupplierCheck]) -> Section:
    if not more:
        return section
    checks = by_severity([*section.extraction.checks, *more])
    return replace(section, extraction=section.extraction.model_copy(update={"checks": checks}))


def _imitated(section: Section, known: Sequence[Vendor]) -> Vendor | None:
    """The vendor whose name or domain the invoice's could be taken for."""
    name = section.extraction.vendor_name or ""
    domains = domains_of(section.vendor.website, section.vendor.email)
    for vendor in known:
        if looks_like(name, vendor.name):
            return vendor
        theirs = domains_of(vendor.website, vendor.email)
        if any(domain_looks_like(domain, other) for domain in domains for other in theirs):
            return vendor
    return None
