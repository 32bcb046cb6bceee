"""Vendors, which issue invoices, and what an invoice says about its issuer besides the name."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Literal
from uuid import UUID

from serve_app.domain.invoice import Invoice, ReviewStatus
from serve_app.domain.resource import Number, Resource


@dataclass(frozen=True, slots=True)
class VendorDetails:
    """How to reach the issuer and whom to pay; None for what is not printed.

    `website` is a host name, `email` an address, both in lower case; `phone` is as printed; `vat_id` and `iban` are
    compact (upper case letters and digits), and their check digits are right.
    """

    website: str | None = None
    email: str | None = None
    phone: str | None = None
    vat_id: str | None = None
    iban: str | None = None


NOTHING_KNOWN = VendorDetails()


class IdentifierKind(StrEnum):
    """What a vendor can be known by besides its name."""

    TAX_NUMBER = "tax_number"
    IBAN = "iban"
    DOMAIN = "domain"


class VendorIdentifier(Resource):
    """What invoices of a vendor print, except rejected ones: on how many, and when first and last. Domains are those of
    its website and its e-mail address."""

    kind: IdentifierKind
    value: str
    invoices: int
    first_seen_at: date
    last_seen_at: date


class CurrencyTotal(Resource):
    """What a vendor billed in one currency (null: no currency was read), duplicates and rejected invoices left out."""

    currency: str | None
    amount: Number


class Vendor(Resource):
    """A vendor as `GET /v1/vendors` shows it; derived from the account's complete invoices.

    `total_billed` leaves out duplicates and rejected invoices, and takes amounts as they are, whatever their currency.
    `name` is the one that a person gave, else the one read last; the details are those read last. Vendors that were
    merged are one.
    """

    id: UUID
    object: Literal["vendor"] = "vendor"
    name: str
    invoice_count: int
    total_billed: Number
    last_seen_at: date | None
    website: str | None
    email: str | None
    phone: str | None
    totals: list[CurrencyTotal] | None = None
    """The same by currency, the largest first; None unless it was asked for."""
    identifiers: list[VendorIdentifier] | None = None
    """Tax numbers, accounts and domains, each kind with the one seen last first; None unless it was asked for."""


@dataclass(frozen=True, slots=True)
class MergedVendor:
    """A vendor whose invoices count for another one; `name` is its own."""

    id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class MonthSpend:
    """What one vendor billed in a month, of which this is the first day, in one currency (None: unknown)."""

    month: date
    currency: str | None
    invoices: int
    total: Decimal


def domains_of(website: str | None, email: str | None) -> list[str]:
    """The domains of a host name and of an address."""
    found = ((website or "").removeprefix("www."), (email or "").rpartition("@")[2])
    return list(dict.fromkeys(domain for domain in found if domain))


def seen_on(invoice: Invoice) -> date:
    """The day on which an invoice shows that its vendor was active."""
    return invoice.issued_at or invoice.created_at.date()


def billed(invoice: Invoice) -> Decimal:
    """What an invoice adds to its vendor's total if it is not a duplicate; a rejected one adds nothing."""
    is_rejected = invoice.review.status is ReviewStatus.REJECTED
    return Decimal(0) if is_rejected or invoice.amount is None else invoice.amount
