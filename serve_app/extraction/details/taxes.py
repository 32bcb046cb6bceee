"""The tax of each rate, from the lines that print it."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations, islice, takewhile

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.captions import Caption
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.fields import Fields
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.reconcile.candidates import TOLERANCE
from serve_app.extraction.reconcile.tax_rates import HIGHEST, tax_rates
from serve_app.extraction.tables.numbers import printed_numbers

LABELS = (Label.TAX_LINE, Label.TAX)
# The probability from which on a model counts as taking an amount for a tax.
SEEN = 0.4
# An invoice has at most this many rates.
RATES = 6
_CENT, _HALF_CENT = Decimal("0.01"), Decimal("0.005")


@dataclass(frozen=True, slots=True)
class TaxRow:
    """The tax of one rate (in percent) on its base, as far as they are printed, and the words of the amount."""

    rate: Decimal | None
    base: Decimal | None
    amount: Decimal
    place: Place


@dataclass(frozen=True, slots=True)
class TaxTable:
    """All of them; `is_proved` if they add up to the invoice's tax."""

    rows: tuple[TaxRow, ...]
    is_proved: bool


def tax_table(
    pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]], fields: Fields, style: Style
) -> TaxTable:
    """The rows that add up to the tax of the invoice; if there are none, those whose rate and base give their
    amount."""
    rows = list(_rows(pages, candidates, style))
    distinct = list({(row.rate, row.amount): row for row in reversed(rows)}.values())[::-1]
    if fields.tax is not None:
        for some in _choices(rows, distinct):
            if abs(sum((row.amount for row in some), Decimal(0)) - fields.tax.value) <= TOLERANCE:
                nets = sorted({candidate.value for candidate in candidates})
                rates = list({rate for page in pages for line in page.lines for rate in tax_rates(page.text(line))})
                return TaxTable(tuple(_completed(row, rates, nets) for row in some), is_proved=True)
    return TaxTable(tuple(row for row in distinct if row.base is not None), is_proved=False)


def _completed(row: TaxRow, rates: Sequence[Decimal], nets: Sequence[Decimal]) -> TaxRow:
    """A row with the rate and the base that are printed elsewhere, if exactly one pair of them gives its amount. `nets`
    are in ascending order."""
    if row.base is not None:
        return row
    known = rates if row.rate is None else [row.rate]
    pairs = set(islice(((rate, net) for rate in known for net in _bases(nets, rate, row.amount)), 2))
    if len(pairs) != 1:
        return row
    ((rate, base),) = pairs
    return replace(row, rate=rate, base=base)


def _bases(nets: Sequence[Decimal], rate: Decimal, amount: Decimal) -> Iterator[Decimal]:
    """The nets of which a rate gives an amount."""
    first = bisect_left(nets, amount - _HALF_CENT, key=lambda net: rate * net / 100)
    return takewhile(lambda net: rate * net / 100 <= amount + _HALF_CENT, islice(nets, first, None))


def _choices(rows: Sequence[TaxRow], distinct: Sequence[TaxRow]) -> Iterator[Sequence[TaxRow]]:
    """All rows; each once, if a table and the sums below print them twice; some of them, the most first, if one is the
    sum of the others."""
    rated = [row for row in distinct if row.rate is not None]
    yield from (some for some in ([row for row in rows if row.rate is not None], rated) if some)
    for count in range(min(len(distinct), RATES), 0, -1):
        yield from combinations(distinct[:RATES], count)


def _rows(pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]], style: Style) -> Iterator[TaxRow]:
    """The likeliest tax of each printed line."""
    best: dict[tuple[int, int], Candidate[Decimal]] = {}
    for candidate in candidates:
        page = pages[candidate.place.page]
        line = candidate.place.page, page.row_of(candidate.place.words[0])
        if (
            candidate.value
            and _chance(page, candidate) >= SEEN
            and _chance(page, candidate) > _chance(page, best.get(line))
        ):
            best[line] = candidate
    for (number, row), rate in sorted(best.items()):
        yield _row(pages[number], pages[number].lines[row], rate, style)


def _chance(page: PageEvidence, one: Candidate[Decimal] | None) -> float:
    if one is None:
        return 0.0
    captions = page.captions(one.place.words)
    is_named = captions.before[:1] == (Caption.TAX,) and captions.skipped <= 1
    return max(SEEN if is_named else 0.0, sum(page.mean(one.place.words, label) for label in LABELS))


def _row(page: PageEvidence, line: Sequence[int], one: Candidate[Decimal], style: Style) -> TaxRow:
    """A rate and a base of the same line that give the amount, else the only rate on the line."""
    numbers = [value for words, value in printed_numbers(page, line, style) if set(words).isdisjoint(one.place.words)]
    printed = tax_rates(page.text(line))
    # Rates are more often whole numbers than bases.
    unmarked = sorted((value for value in numbers if 0 < value <= HIGHEST), key=lambda value: (value % 1 != 0, value))
    for rate in (*printed, *unmarked):
        for base in numbers:
            if base != rate and abs(base * rate / 100 - one.value) <= _CENT:
                return TaxRow(rate, base, one.value, one.place)
    return TaxRow(printed[0] if len(set(printed)) == 1 else None, None, one.value, one.place)
