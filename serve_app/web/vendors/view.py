"""What the screens of vendors show."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from serve_app.domain.invoice import Invoice
from serve_app.domain.supplier_checks import open_accounts
from serve_app.domain.vendor import IdentifierKind, MonthSpend, Vendor, VendorIdentifier
from serve_app.web.charts import Chart, Figure, chart_of
from serve_app.web.formats import Formats

MONTHS = 12
"""How many a chart has."""
_MOST_CHARTS = 4


@dataclass(frozen=True, slots=True)
class Sum:
    """A total in one currency."""

    currency: str | None
    total: Decimal
    invoices: int


@dataclass(frozen=True, slots=True)
class VendorRow:
    """A vendor as the list shows it."""

    vendor: Vendor
    sums: list[Sum]

    @property
    def pairs(self) -> list[tuple[Decimal, str | None]]:
        """The sums as amounts and currencies."""
        return [(each.total, each.currency) for each in self.sums]


@dataclass(frozen=True, slots=True)
class Spend:
    """The months of one currency."""

    currency: str | None
    chart: Chart


_IDENTIFIERS = {
    IdentifierKind.TAX_NUMBER: "VAT or tax id",
    IdentifierKind.IBAN: "IBAN",
    IdentifierKind.DOMAIN: "Domain",
}


@dataclass(frozen=True, slots=True)
class Known:
    """What invoices of the vendor print; `is_open` while it is new and no person has confirmed it."""

    name: str
    identifier: VendorIdentifier
    is_open: bool


def sums_of(months: Iterable[MonthSpend]) -> list[Sum]:
    """The totals by currency, the largest first."""
    sums: dict[str | None, Sum] = {}
    for month in months:
        before = sums.get(month.currency, Sum(month.currency, Decimal(0), 0))
        sums[month.currency] = Sum(month.currency, before.total + month.total, before.invoices + month.invoices)
    return sorted(sums.values(), key=lambda each: -each.total)


def charts_of(months: Sequence[MonthSpend], formats: Formats) -> list[Spend]:
    """A chart for each of the main currencies: the months up to the last with an invoice."""
    if not months:
        return []
    days = _months_until(max(month.month for month in months))
    charts = []
    for each in sums_of(months)[:_MOST_CHARTS]:
        totals = {month.month: month.total for month in months if month.currency == each.currency}
        figures = [_figure(day, totals.get(day, Decimal(0)), each.currency, formats) for day in days]
        charts.append(Spend(each.currency, chart_of(figures)))
    return charts


def known_of(identifiers: Iterable[VendorIdentifier], invoices: Sequence[Invoice]) -> list[Known]:
    """What the vendor is known by, beside its newest invoices."""
    accounts = open_accounts(invoices)
    return [Known(_IDENTIFIERS[each.kind], each, each.value in accounts) for each in identifiers]


def payment_terms_in(invoices: Sequence[Invoice]) -> list[str]:
    """The payment terms that these invoices print, the most frequent first."""
    counts = Counter(invoice.details.payment_terms for invoice in invoices if invoice.details)
    return [terms for terms, _ in counts.most_common() if terms]


def printed_names(invoices: Sequence[Invoice]) -> list[str]:
    """How these invoices spell the vendor, the most frequent first."""
    counts = Counter(invoice.vendor_name for invoice in invoices if invoice.vendor_name)
    return [name for name, _ in counts.most_common()]


def _months_until(last: date) -> list[date]:
    number = last.year * 12 + last.month - 1
    return [date(month // 12, month % 12 + 1, 1) for month in range(number - MONTHS + 1, number + 1)]


def _figure(month: date, total: Decimal, currency: str | None, formats: Formats) -> Figure:
    return Figure(formats.month(month), formats.money(total, currency), total)
