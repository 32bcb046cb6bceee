"""What the electronic invoice embedded in a PDF says (Factur-X, ZUGFeRD)."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class EInvoice:
    """The values of the embedded XML; None or empty if it gives none.

    `profile` names the standard and level, such as "Factur-X EN 16931" or "ZUGFeRD 1.0 COMFORT". `amount` is the grand
    total with tax, `tax` the sum of all taxes, both in `currency`.
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
