"""Columns that add up downwards: amounts below one another, and under them what they come to.

Such a column proves its sum, whatever its lines are called: a subtotal, a voucher and a tax, or the rows of a receipt.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.captions import Caption
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style, ends_in_decimals
from serve_app.extraction.reconcile.tax_rates import tax_rates
from serve_app.extraction.reconcile.tax_sums import HIGHEST_TAX
from serve_app.extraction.tables.numbers import printed_numbers

# Right edges of a column differ by less than this, as a share of the page's width.
_ALIGNED = 0.008
# No more amounts are added up.
_MOST = 60
_FEWEST = 2
# The probability from which on a model counts as taking an amount for a tax, or for a payment.
_SEEN = 0.25
_TAXES = (Label.TAX, Label.TAX_LINE)
# What was paid, or is owed from before, makes what is left to pay of the invoice, and no sum of it.
_OTHER_SUMS = frozenset({Caption.PAID, Caption.CHANGE, Caption.PREVIOUS, Caption.AMOUNT_DUE})


@dataclass(frozen=True, slots=True)
class Ledger:
    """Amounts of a column that make the one under them, `total`; `tax` is the sum of those that are taxes, 0 if none
    is, and `tax_place` the first of these; `parts` are the others."""

    total: Decimal
    place: Place
    tax: Decimal = Decimal(0)
    tax_place: Place | None = None
    parts: frozenset[Decimal] = frozenset()


@dataclass(frozen=True, slots=True)
class _Entry:
    value: Decimal
    place: Place
    is_tax: bool
    is_other: bool


def ledgers(pages: Sequence[PageEvidence], style: Style) -> tuple[Ledger, ...]:
    """All columns that add up, without those of payments."""
    columns = (column for number, page in enumerate(pages) for column in _columns(number, page, style))
    return tuple(dict.fromkeys(ledger for column in columns for ledger in _added_up(column)))


def _added_up(column: Sequence[_Entry]) -> Iterator[Ledger]:
    for end in range(_FEWEST, len(column)):
        added = Decimal(0)
        for start in range(end - 1, max(-1, end - 1 - _MOST), -1):
            if column[start].is_other:
                break
            added += column[start].value
            if added == column[end].value and _is_significant(column[start:end]):
                yield _ledger(column[end], column[start:end])


def _is_significant(parts: Sequence[_Entry]) -> bool:
    """Whether it is no accident that amounts add up: there are several, and not twice the same."""
    values = [part.value for part in parts if part.value]
    return len(values) >= _FEWEST and (len(values) > _FEWEST or values[0] != values[1])


def _ledger(sum_: _Entry, entries: Sequence[_Entry]) -> Ledger:
    total = sum_.value
    taxes = [entry for entry in entries if entry.is_tax]
    tax = sum((each.value for each in taxes), Decimal(0))
    parts = frozenset(entry.value for entry in entries if not entry.is_tax)
    # What is called a tax may be what it is of: only a small share of the total is one.
    if not 0 < tax * total <= HIGHEST_TAX * total * total:
        return Ledger(total, sum_.place, parts=parts)
    return Ledger(total, sum_.place, tax, taxes[0].place, parts)


def _columns(number: int, page: PageEvidence, style: Style) -> Iterator[list[_Entry]]:
    """The amounts with decimals of each column, from top to bottom."""
    columns: list[tuple[float, list[_Entry]]] = []
    for line in page.lines:
        for words, value in printed_numbers(page, line, style):
            if ends_in_decimals(page.text(words)):
                edge, entry = page.box(words).x1, _entry(page, Place(number, words), value)
                column = next((found for at, found in columns if abs(at - edge) < _ALIGNED), None)
                if column is None:
                    columns.append((edge, [entry]))
                else:
                    column.append(entry)
    yield from (column for _, column in columns)


def _entry(page: PageEvidence, place: Place, value: Decimal) -> _Entry:
    captions = page.captions(place.words)
    before = frozenset(captions.before)
    # "PST 7 % on goods".
    is_rated = Caption.TAX in captions.earlier and bool(tax_rates(page.text(page.line_of(place.words[0]))))
    return _Entry(
        value,
        place,
        is_tax=Caption.TAX in before or is_rated or any(page.mean(place.words, label) > _SEEN for label in _TAXES),
        is_other=not before.isdisjoint(_OTHER_SUMS) or page.mean(place.words, Label.PAID) > _SEEN,
    )


def before_tax(found: Collection[Ledger]) -> dict[Decimal, Ledger]:
    """The sums to which a tax is added below them, each with the column that does: its parts, and what makes these in
    turn."""
    added = {part: ledger for ledger in found if ledger.tax for part in ledger.parts}
    made = {part: added[ledger.total] for ledger in found if ledger.total in added for part in ledger.parts}
    return made | added
