"""When an invoice was issued and when it is due; together they tell which of the numbers of 03/04/2024 is the day."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from serve_app.extraction.candidates.candidate import ANSWER, LIKELY, Candidate, Place
from serve_app.extraction.candidates.dates import called, date_candidates
from serve_app.extraction.captions import Caption
from serve_app.extraction.dates.dates import Order, possible_orders
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.knowledge import WordPattern, countries
from serve_app.extraction.scoring.rank import rank

# Ecuador and others pay in dollars, but write the day first.
_DAY_FIRST = WordPattern("{languages.day_first}")


@dataclass(frozen=True, slots=True)
class InvoiceDates:
    """All days that may be the issue date and the due date, best first. `is_order_known`: none of the document's dates
    can be read in another order, or its other dates or the country prove the order."""

    issued: Sequence[Candidate[date]]
    due: Sequence[Candidate[date]]
    order: Order
    is_order_known: bool = True


def invoice_dates(pages: Sequence[PageEvidence], currency: str | None, number: Place | None = None) -> InvoiceDates:
    """The dates of a document in the order that they prove; else in the order of the country, by its currency. The
    invoice number, whose place is `number`, is no date."""
    lines = list(_lines_without(pages, number))
    if _date_order(currency) == "month_first" and any(map(_DAY_FIRST.search, lines)):
        currency = None
    order, *others = possible_orders(lines, month_first_hint=_date_order(currency) == "month_first")
    candidates = _without(date_candidates(pages, order), number)
    issued = _called_first(pages, candidates, rank("issued_at", candidates))
    best = issued[0].value if issued and issued[0].score >= ANSWER else None
    candidates = _without(date_candidates(pages, order, best), number)
    due = rank("due_at", candidates)
    if not due or due[0].score < LIKELY:
        # The models may not see a date that the page itself calls due.
        due = called(pages, candidates, Caption.DUE_DATE) or due
    is_known = not others or (currency is not None and _date_order(currency) != "either")
    return InvoiceDates(issued, due, order, is_known)


def _date_order(currency: str | None) -> str | None:
    """The order of the countries that pay in a currency, if one of them does not write the day first."""
    return _date_orders().get(currency or "")


@cache
def _date_orders() -> Mapping[str, str]:
    known = countries().values()
    return {country.currency: country.date_order for country in known if country.date_order != "day_first"}


def _lines_without(pages: Sequence[PageEvidence], number: Place | None) -> Iterator[str]:
    for at, page in enumerate(pages):
        left_out = number.words if number and number.page == at else ()
        for line in page.lines:
            yield page.text([word for word in line if word not in left_out])


def _without(candidates: Sequence[Candidate[date]], number: Place | None) -> list[Candidate[date]]:
    """The candidates that are no part of the invoice number."""
    return [candidate for candidate in candidates if number is None or not _is_within(candidate.place, number)]


def _is_within(place: Place, outer: Place) -> bool:
    return place.page == outer.page and set(place.words) <= set(outer.words)


def _called_first(
    pages: Sequence[PageEvidence], candidates: Sequence[Candidate[date]], issued: Sequence[Candidate[date]]
) -> Sequence[Candidate[date]]:
    """The days of issue, those that captions call so first if the best is only called the day of payment."""
    days = called(pages, candidates, Caption.ISSUE_DATE) if issued else []
    if not days or issued[0].value in {day.value for day in days}:
        return issued
    is_due = any(day.value == issued[0].value for day in called(pages, candidates, Caption.DUE_DATE))
    return [*days, *issued] if is_due else issued
