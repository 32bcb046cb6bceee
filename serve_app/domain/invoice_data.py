"""What a machine-readable part of a document says: the electronic invoice embedded in a PDF, or a code on a page."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class InvoiceData:
    """The values that it gives; None or empty if it gives none.

    `profile` names the standard and level, such as "Factur-X EN 16931", "ZUGFeRD 1.0 COMFORT" or "Swiss QR-bill".
    `amount` is the grand total with tax (of a payment code, what is to be paid), `tax` the sum of all taxes, both in
    `currency`. `vat_ids` are the tax numbers of both parties, `reference` is the payment's.
    """

    profile: str
    seller: str | None = None
    number: str | None = None
    issued_at: date | None = None
    due_at: date | None = None
    currency: str | None = None
    amount: Decimal | None = None
    tax: Decimal | None = None
    vat_ids: tuple[str, ...] = ()
    ibans: tuple[str, ...] = ()
    reference: str | None = None
