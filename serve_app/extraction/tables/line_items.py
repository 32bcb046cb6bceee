"""The line items of a document and what they add up to."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from operator import or_

from serve_app.extraction.corrected import superseded_words
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.knowledge import countries
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.reconcile.phrases import names_discount
from serve_app.extraction.tables.captions import captions_sum
from serve_app.extraction.tables.records import records
from serve_app.extraction.tables.regions import regions
from serve_app.extraction.tables.row_multipliers import with_multipliers
from serve_app.extraction.tables.row_quantities import with_quantities
from serve_app.extraction.tables.rows import Row, rows_of

__all__ = ["Row", "all_rows", "drop_non_items", "sum_of", "total_of"]

_CENT = Decimal("0.01")


def all_rows(pages: Sequence[PageEvidence], style: Style) -> list[Row]:
    """All lines that look like rows: among them may be gross prices and discounts that a row has already."""
    if found := records(pages, style):
        return found
    tables = [rows_of(pages[region.page], region, style) for region in regions(pages)]
    rows = [replace(row, table=number) for number, table in enumerate(tables) for row in table]
    superseded = superseded_words(pages)
    rows = [row for row in rows if superseded[row.place.page].isdisjoint(row.place.words)]
    rows = [row for row in rows if not row.is_blank and not _is_no_item(row.description or "")]
    rows = [row for row, is_sum in zip(rows, map(or_, _add_up(rows), _head_groups(rows)), strict=True) if not is_sum]
    return with_quantities(pages, with_multipliers(pages, rows, style), style)


def _add_up(rows: Sequence[Row]) -> Iterator[bool]:
    """Whether each row of one amount, or of one and a quantity, is the sum of all rows above it."""
    amounts, total, counted = 0, Decimal(0), Decimal(0)
    for row in rows:
        is_sum = row.is_bare or (row.numbers.unit_price is None and row.numbers.quantity == counted)
        yield is_sum and amounts > 1 and row.amount == total
        amounts += bool(row.amount)
        total += row.amount or 0
        counted += row.numbers.quantity or 0


def _head_groups(rows: Sequence[Row]) -> list[bool]:
    """Whether each row of one amount is the sum of the rows right below it, two at least."""
    heads: list[bool] = []
    # What the amounts add up to from each row below on to the next row without one, the nearest row last; and the same
    # of the rows on which a group of the next row may end.
    sums, ends = [Decimal(0)], set[Decimal]()
    for row in reversed(rows):
        heads.append(bool(row.amount) and row.is_bare and sums[-1] - (row.amount or 0) in ends)
        sums, ends = ([*sums[-2:], sums[-1] + row.amount], ends) if row.amount else ([Decimal(0)], set())
        ends.update(sums[:-2])
    return heads[::-1]


def _is_no_item(description: str) -> bool:
    """Whether a row is the sum of others, or what is added for the state."""
    return captions_sum(description) or _levy().search(description) is not None


@cache
def _levy() -> re.Pattern[str]:
    """What pages of some countries print of the taxes of each row, or of the profession's pension fund."""
    return re.compile(
        "|".join(levy for country in countries().values() for levy in sorted(country.levies)), re.IGNORECASE
    )


def drop_non_items(rows: Sequence[Row]) -> list[Row]:
    """Rows of a table are alike: if most print several numbers, a line with one is often part of the row above."""
    rows = _without_allowances(rows)
    is_described = any(row.description for row in rows)
    bare = sum(row.is_bare and (not is_described or bool(row.description)) for row in rows)
    if is_described:
        rows = [row for row in rows if row.description or (row.amount and not row.is_bare)]
    return list(rows) if 2 * bare >= len(rows) else _without_foreign(rows)


def _without_allowances(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows of a table with totals, without what has been taken off prices."""
    has_totals = 2 * sum(row.numbers.total is None for row in rows) <= len(rows)
    return [row for row in rows if not _states_allowance(row)] if has_totals else rows


def _without_foreign(rows: Sequence[Row]) -> list[Row]:
    is_positive = sum(row.amount is not None and row.amount > 0 for row in rows) * 2 > len(rows)
    return [row for row in rows if not row.is_bare or not _is_foreign(row, is_positive)]


def _states_allowance(row: Row) -> bool:
    """Whether a line only tells what has been taken off the price of the row above: "Rabatt 1: 2 %  0.03 a piece"."""
    return row.numbers.total is None and names_discount(row.description or "")


def _is_foreign(row: Row, is_positive: bool) -> bool:
    """Whether a row of one number is a gross price, a discount, or an amount of nothing, between complete rows.
    `is_positive`: whether most rows have positive amounts."""
    has_other_sign = row.amount is not None and (row.amount < 0) is is_positive
    return not row.numbers.total or has_other_sign


def sum_of(rows: Sequence[Row]) -> Decimal | None:
    """The sum of the rows' totals; None unless every row has one (computed from quantity and price where needed)."""
    totals = [total_of(row) for row in rows]
    known = [total for total in totals if total is not None]
    return sum(known, Decimal(0)) if known and len(known) == len(totals) else None


def total_of(row: Row) -> Decimal | None:
    """What a row comes to; None if nothing printed says so."""
    numbers = row.numbers
    if numbers.total is not None:
        return numbers.total
    if numbers.quantity is not None and numbers.unit_price is not None:
        return (numbers.quantity * numbers.unit_price).quantize(_CENT)
    return numbers.unit_price
