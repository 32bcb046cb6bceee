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
from serve_app.extraction.parties.names import normal_name, normal_number
from serve_app.extraction.parties.rivals import goes_on_below, has_rival, is_longer_elsewhere
from serve_app.extraction.parties.vendor_signs import is_corroborated, is_named_as_seller
from serve_app.extraction.reconcile.choice import Check, Choice
from serve_app.extraction.reconcile.conversions import money_at_rate
from serve_app.extraction.reconcile.reconcile import Items, reconcile
from serve_app.extraction.scoring.rank import rank
from serve_app.extraction.tables.line_items import Row


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
    totals: Choice
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
    items, totals = reconcile(pages)
    named = _currencies(pages, totals)
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
            Field.AMOUNT: totals.sums.totals,
            Field.CURRENCY: named,
            Field.ISSUED_AT: dates.issued,
            Field.DUE_AT: dates.due,
            Field.TAX: totals.sums.taxes,
        },
    )


def _currencies(pages: Sequence[PageEvidence], totals: Choice) -> list[Candidate[str]]:
    if totals.total is None:
        return currencies(pages)
    return currencies(pages, totals.total.place, money_at_rate(pages, totals.sums.style, totals.total.value))


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
