"""Answers about vendors. Written by `python -m scripts.clients` from the OpenAPI document."""

from datetime import date
from decimal import Decimal

from invoices_client.models.base import Model
from invoices_client.models.enums import IdentifierKind


class CurrencyTotal(Model):
    """What a vendor billed in one currency (null: no currency was read), duplicates and rejected invoices left out."""

    currency: str | None = None
    """The ISO 4217 code; null if it was not found."""
    amount: Decimal
    """The total of the invoice, with tax; null if it was not found."""


class VendorIdentifier(Model):
    """What invoices of a vendor print, except rejected ones: on how many, and when first and last. Domains are those
    of its website and its e-mail address.
    """

    kind: IdentifierKind
    """What the value is."""
    value: str
    """The value."""
    invoices: int
    """How many invoices print it."""
    first_seen_at: date
    """The day of the first invoice that prints it."""
    last_seen_at: date
    """The latest issue date."""


class Vendor(Model):
    """A vendor as `GET /v1/vendors` shows it; derived from the account's complete invoices.

    `total_billed` leaves out duplicates and rejected invoices, and takes amounts as they are, whatever their
    currency. `name` is the one that a person gave, else the one read last; the details are those read last.
    Vendors that were merged are one.
    """

    id: str
    """The id."""
    object: str
    """The type of the object."""
    name: str
    """The name."""
    invoice_count: int
    """How many complete invoices the vendor has."""
    total_billed: Decimal
    """The sum of the amounts of its complete invoices."""
    last_seen_at: date | None = None
    """The latest issue date."""
    website: str | None = None
    """The website."""
    email: str | None = None
    """The address."""
    phone: str | None = None
    """The phone number."""
    totals: list[CurrencyTotal] | None = None
    """The same by currency, the largest first; None unless it was asked for."""
    identifiers: list[VendorIdentifier] | None = None
    """Tax numbers, accounts and domains, each kind with the one seen last first; None unless it was asked for."""


class VendorList(Model):
    """Vendors, highest spend first."""

    object: str
    """The type of the object."""
    data: list[Vendor] = []
    """The object of the event, or the entries of the list."""
    has_more: bool | None = None
    """Only with `starting_after`: whether more entries follow."""
