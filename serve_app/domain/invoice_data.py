"""What a machine-readable part of a document says: its electronic invoice, or a code on a page."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from serve_app.domain.einvoice import EInvoice


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


def data_in(einvoice: EInvoice) -> InvoiceData:
    """What an electronic invoice gives of these values."""
    parties = (einvoice.seller, einvoice.tax_representative, einvoice.buyer)
    return InvoiceData(
        profile=einvoice.profile,
        seller=einvoice.seller.name,
        number=einvoice.number,
        issued_at=einvoice.issued_at,
        due_at=einvoice.due_at,
        currency=einvoice.currency,
        amount=einvoice.totals.gross,
        tax=einvoice.totals.tax,
        vat_ids=_compact(party.vat_id for party in parties if party),
        ibans=_compact(account.number for account in einvoice.payment.accounts),
        reference=einvoice.payment.reference,
    )


def _compact(found: Iterable[str | None]) -> tuple[str, ...]:
    """Upper-cased, without white space or duplicates."""
    return tuple(dict.fromkeys("".join(text.split()).upper() for text in found if text))
