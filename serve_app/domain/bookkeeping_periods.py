"""How long invoices must be kept by law, by country. Each period begins at the end of the year of the invoice."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from serve_app.domain.errors import InvoiceKept
from serve_app.domain.invoice import ApprovalStatus, Invoice, ReviewStatus

_LONGEST_YEAR = 366


@dataclass(frozen=True, slots=True)
class Period:
    """`law` is where the number of years comes from."""

    years: int
    law: str


PERIODS: Mapping[str, Period] = {
    "AT": Period(7, "§ 132 BAO"),
    "BE": Period(10, "art. 60 CTVA"),
    "CH": Period(10, "art. 958f OR"),
    # Vouchers since 2025: 8 years (§ 147 (3) AO). Books and what is needed to understand them: 10 years.
    "DE": Period(10, "§ 147 AO"),
    "DK": Period(5, "bogføringsloven § 12"),
    "ES": Period(6, "art. 30 Código de Comercio"),
    "FI": Period(6, "kirjanpitolaki 2:10 §"),
    "FR": Period(10, "art. L123-22 Code de commerce"),
    "GB": Period(6, "Value Added Tax Act 1994, Schedule 11, paragraph 6"),
    "IE": Period(6, "Taxes Consolidation Act 1997, section 886"),
    "IT": Period(10, "art. 2220 Codice civile"),
    "LU": Period(10, "art. 16 Code de commerce"),
    "NL": Period(7, "art. 52 AWR"),
    "NO": Period(5, "bokføringsloven § 13"),
    "PL": Period(5, "art. 74 ustawa o rachunkowości"),
    "PT": Period(10, "art. 123 CIRC"),
    "SE": Period(7, "bokföringslagen 7 kap. 2 §"),
}
"""By the codes of ISO 3166. A summary for the usual case, no legal advice: some documents must be kept longer."""


def is_booked(invoice: Invoice) -> bool:
    """Whether the invoice is part of the books: exported, confirmed, approved or paid."""
    return (
        invoice.export_id is not None
        or invoice.review.status is ReviewStatus.CONFIRMED
        or invoice.approval_status is ApprovalStatus.APPROVED
        or invoice.paid
    )


def kept_until(invoice: Invoice, country: str) -> date:
    """The last day on which the invoice must be kept there."""
    year = (invoice.issued_at or invoice.created_at.date()).year
    return date(min(year + PERIODS[country].years, date.max.year), 12, 31)


def refuse_deletion(invoice: Invoice, country: str | None, today: date) -> None:
    """Raises InvoiceKept if the invoice is part of the books and its period there has not ended."""
    if country is None or not is_booked(invoice):
        return
    until = kept_until(invoice, country)
    if today <= until:
        raise InvoiceKept(f"{until:%Y-%m-%d}", country, PERIODS[country].law)


def days_of(country: str) -> int:
    """Days from receipt after which the period of an invoice has certainly ended."""
    return (PERIODS[country].years + 1) * _LONGEST_YEAR
