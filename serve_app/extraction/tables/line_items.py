"""The line items of a document and what they add up to."""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import accumulate, takewhile

from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style
from serve_app.extraction.tables.captions import captions_sum, captions_what_is_left
from serve_app.extraction.tables.records import records
from serve_app.extraction.tables.regions import regions
from serve_app.extraction.tables.row_multipliers import with_multipliers
from serve_app.extraction.tables.row_numbers import RowNumbers
from serve_app.extraction.tables.row_quantities import with_quantities
from serve_app.extraction.tables.rows import Row, rows_of

__all__ = ["Row", "all_rows", "drop_non_items", "sum_of"]

_CENT = Decimal("0.01")
_ALLOWANCE = re.compile(
    r"rabatt|\brabat\b|discount|\bremise|\bsconto|descuento|desconto|korting|\bsleva", re.IGNORECASE
)
# What Mexican invoices print of the taxes of each row, and Italian ones of the profession's pension fund.
_LEVY = re.compile(
    r"^(?:traslad[oa]s?|retenci[óo]n(?:es)?)\b.*\b(?:base|tasa|iva|ieps|isr|00[1-3])\b|"
    r"^(?:tasa|base) [\d.,]+ (?:importe|tasa)\b|"
    r"\bcassa (?:nazionale|italiana)?.{0,20}\b(?:previdenza|assistenza)\b",
    re.IGNORECASE,
)


def all_rows(pages: Sequence[PageEvidence], style: Style) -> list[Row]:
    """All lines that look like rows: among them may be gross prices and discounts that a row has already."""
    if found := records(pages, style):
        return found
    rows = [row for region in regions(pages) for row in rows_of(pages[region.page], region, style)]
    rows = [row for row in rows if not row.is_blank and not _is_no_item(row.description or "")]
    rows = [
        row for at, row in enumerate(rows) if not _adds_up(row, rows[:at]) and not _heads_group(row, rows[at + 1 :])
    ]
    return with_quantities(pages, with_multipliers(pages, rows, style), style)


def _adds_up(row: Row, above: Sequence[Row]) -> bool:
    """Whether a row of one amount, or of one and a quantity, is the sum of all rows above it."""
    amounts = [each.amount for each in above if each.amount]
    counted = [each.numbers.quantity for each in above if each.numbers.quantity]
    is_sum = row.is_bare or (row.numbers.unit_price is None and row.numbers.quantity == sum(counted))
    return is_sum and len(amounts) > 1 and row.amount == sum(amounts)


def _heads_group(row: Row, below: Sequence[Row]) -> bool:
    """Whether a row of one amount is the sum of the rows right below it, two at least."""
    amounts = list(takewhile(bool, (each.amount for each in below)))
    return row.is_bare and bool(row.amount) and row.amount in list(accumulate(amounts))[1:]


def _is_no_item(description: str) -> bool:
    """Whether a row is the sum of others, or the one above again, or what is added for the state."""
    return captions_sum(description) or captions_what_is_left(description) or _LEVY.search(description) is not None


def drop_non_items(rows: Sequence[Row]) -> list[Row]:
    """Rows of a table are alike: if most print several numbers, a line with one is often part of the row above."""
    if 2 * sum(row.numbers.total is None for row in rows) <= len(rows):
        rows = [row for row in rows if not _states_allowance(row)]
    bare = [row for row in rows if row.is_bare]
    if any(row.description for row in rows):
        rows = [row for row in rows if row.description or (row.amount and not row.is_bare)]
        bare = [row for row in bare if row.description]
    if 2 * len(bare) >= len(rows):
        return list(rows)
    is_positive = sum(row.amount is not None and row.amount > 0 for row in rows) * 2 > len(rows)
    return [row for row in rows if not row.is_bare or not _is_foreign(row, is_positive)]


def _states_allowance(row: Row) -> bool:
    """Whether a line only tells what has been taken off the price of the row above: "Rabatt 1: 2 %  0.03 a piece"."""
    return row.numbers.total is None and _ALLOWANCE.search(row.description or "") is not None


def _is_foreign(row: Row, is_positive: bool) -> bool:
    """Whether a row of one number is a gross price, a discount, or an amount of nothing, between complete rows.
    `is_positive`: whether most rows have positive amounts."""
    has_other_sign = row.amount is not None and (row.amount < 0) is is_positive
    return not row.numbers.total or has_other_sign


def sum_of(rows: Sequence[Row]) -> Decimal | None:
    """The sum of the rows' totals; None unless every row has one (computed from quantity and price where needed)."""
    totals = [_total(row.numbers) for row in rows]
    known = [total for total in totals if total is not None]
    return sum(known, Decimal(0)) if known and len(known) == len(totals) else None


def _total(numbers: RowNumbers) -> Decimal | None:
    if numbers.total is not None:
        return numbers.total
    if numbers.quantity is not None and numbers.unit_price is not None:
        return (numbers.quantity * numbers.unit_price).quantize(_CENT)
    return numbers.unit_price
