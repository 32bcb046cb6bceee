"""The header fields according to one set of evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from serve_app.domain.invoice import Field
from serve_app.extraction.candidates.candidate import ANSWER, LIKELY, Candidate, Place
from serve_app.extraction.candidates.dates import has_other_due_date
from serve_app.extraction.candidates.numbers import number_candidates, order_number
from serve_app.extraction.candidates.objections import is_plausible
from serve_app.extraction.candidates.vendors import vendor_candidates
from serve_app.extraction.currency.money_unit import currencies
from serve_app.extraction.dates.invoice_dates import InvoiceDates, invoice_dates
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import decimal_style
from serve_app.extraction.parties.names import normal_name, normal_number
from serve_app.extraction.parties.rivals import goes_on_below, has_rival, is_longer_elsewhere
from serve_app.extraction.parties.vendor_signs import is_corroborated, is_named_as_seller
from serve_app.extraction.reconcile.totals import Check, Totals, resolve_totals
from serve_app.extraction.scoring.rank import rank
from serve_app.extraction.tables.line_items import Row, all_rows, drop_non_items, sum_of
from serve_app.extraction.tables.missing_rows import with_missing_rows
from serve_app.extraction.tables.row_selection import lists_again, makes_one_of, row_sets, rows_of_sum


@dataclass(frozen=True, slots=True)
class Items:
    """The rows that make the invoice. `do_add_up`: they come to its total; `has_rival`: other tables make it as
    well."""

    rows: tuple[Row, ...] = ()
    do_add_up: bool = False
    has_rival: bool = False

    @property
    def are_bare(self) -> bool:
        """Whether each prints one amount alone."""
        return all(row.is_bare for row in self.rows)

    @property
    def do_lack_quantity(self) -> bool:
        """Whether one at least has a column of quantities, where nothing was read in it."""
        return any(row.lacks_quantity for row in self.rows)


@dataclass(frozen=True, slots=True)
class AboutVendor:
    """What else the names of a document say about the vendor's. `places`: where it is printed. `is_corroborated`: other
    signs than the models' word say that it is the issuer's; `is_named`: a heading does. `has_rival`: another name may
    as well be. `is_cut`: it may go on."""

    places: tuple[Place, ...] = ()
    is_corroborated: bool = False
    is_named: bool = False
    has_rival: bool = False
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Fields:
    """One answer for each field, with its score and place, or None, and what is known of how they came about.
    `has_one_due_date`: no other day is called one. `ranked` has all that may be it, best first."""

    vendor: Candidate[str] | None
    invoice_number: Candidate[str] | None
    amount: Candidate[Decimal] | None
    currency: Candidate[str] | None
    issued_at: Candidate[date] | None
    due_at: Candidate[date] | None
    tax: Candidate[Decimal] | None
    items: Items
    totals: Totals
    about_vendor: AboutVendor
    dates: InvoiceDates
    has_one_due_date: bool
    ranked: Mapping[Field, Sequence[Candidate[Any]]]

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows that make the invoice."""
        return self.items.rows

    @property
    def check(self) -> Check:
        """What the arithmetic says about the document."""
        return self.totals.check


def read_fields(pages: Sequence[PageEvidence]) -> Fields:
    """Decide every field from the evidence of one model, or of both together."""
    items, totals = _items(pages)
    named = currencies(pages, totals.total.place if totals.total else None)
    currency = _answer(named)
    names = vendor_candidates(pages)
    vendors = rank("vendor", names, normal_name)
    vendor = _answer(vendors)
    numbers = _numbers(pages, is_invoice=bool(totals.total or vendor))
    number = _answer(numbers)
    dates = invoice_dates(pages, currency.value if currency else None, number.place if number else None)
    issued, due_at = _answer(dates.issued), _answer(dates.due, LIKELY)
    amount = _sum(totals.total, totals.check)
    return Fields(
        vendor=vendor,
        invoice_number=number,
        amount=amount,
        # A currency sign alone does not make an invoice.
        currency=currency if any((vendor, number, amount, issued)) else None,
        issued_at=issued,
        due_at=due_at,
        tax=_sum(totals.tax, totals.check),
        items=items,
        totals=totals,
        about_vendor=_about(vendor, pages, [name for name in names if is_plausible(name.features)]),
        dates=dates,
        has_one_due_date=due_at is None or not has_other_due_date(pages, dates.order, due_at.value),
        ranked={
            Field.VENDOR: vendors,
            Field.INVOICE_NUMBER: numbers,
            Field.AMOUNT: totals.totals,
            Field.CURRENCY: named,
            Field.ISSUED_AT: dates.issued,
            Field.DUE_AT: dates.due,
            Field.TAX: totals.taxes,
        },
    )


def _items(pages: Sequence[PageEvidence]) -> tuple[Items, Totals]:
    """The rows that make the invoice, and what the document comes to."""
    style = decimal_style(word.text for page in pages for word in page.page.words)
    every = all_rows(pages, style)
    rows = drop_non_items(every)
    totals = resolve_totals(pages, style, sum_of(rows))
    sets = row_sets(rows, totals.of_lines) if totals.check is not Check.UNKNOWN else []
    most = max(sets, key=len, default=rows)
    # Copies list the same.
    has_rival = any([row.numbers for row in each] != [row.numbers for row in most] for each in sets)
    if sets and (totals.check is Check.NET_AND_TAX or lists_again(rows, most)):
        rows = most
        totals = resolve_totals(pages, style, sum_of(rows))
    elif makes_one_of(every, totals.of_lines):
        # What looks like a discount that a row has already is one of its own.
        rows = every
    rows = with_missing_rows(pages, rows_of_sum(rows, totals.of_lines), totals.of_lines, style)
    return Items(tuple(rows), makes_one_of(rows, totals.of_total), has_rival), totals


def _numbers(pages: Sequence[PageEvidence], *, is_invoice: bool) -> Sequence[Candidate[str]]:
    """The numbers that may be the document's; that of its order, if an invoice has none."""
    numbers = rank("invoice_number", number_candidates(pages), normal_number)
    return (order_number(pages) if is_invoice and _answer(numbers) is None else []) or numbers


def _about(
    vendor: Candidate[str] | None, pages: Sequence[PageEvidence], names: Sequence[Candidate[str]]
) -> AboutVendor:
    if vendor is None:
        return AboutVendor()
    name = normal_name(vendor.value)
    return AboutVendor(
        tuple(candidate.place for candidate in names if normal_name(candidate.value) == name),
        is_corroborated=is_corroborated(names, vendor.value),
        is_named=is_named_as_seller(names, vendor.value),
        has_rival=has_rival(pages, names, vendor),
        is_cut=goes_on_below(pages[vendor.place.page], vendor.place.words) or is_longer_elsewhere(names, vendor.value),
    )


def _sum(found: Candidate[Decimal] | None, check: Check) -> Candidate[Decimal] | None:
    """A sum of the document: however unlikely alone, what net and tax prove is one."""
    return found if check is Check.NET_AND_TAX else _answer([found] if found else [])


def _answer(candidates: Sequence[Candidate], least: float = ANSWER) -> Candidate | None:  # type: ignore[type-arg]
    return candidates[0] if candidates and candidates[0].score >= least else None
