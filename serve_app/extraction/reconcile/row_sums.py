"""Tables of sums: net, tax and total in one row, under captions that may be far above them or not above them at all;
net and tax of each rate; and rows that another one adds up."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise, permutations

from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import Words
from serve_app.extraction.facts.numbers import amounts_of_line
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.reconcile.proofs import LEAST_TAX
from serve_app.extraction.reconcile.tax_rates import HIGHEST, tax_rates

# More numbers in a line are rather a list than a row of sums.
_MOST = 9
# No sales tax in the world is higher, as a share of the net amount.
_HIGHEST_RATE = Decimal("0.3")
# How likely a net and a tax are that are in one row with the total, and make it.
IN_ROW = 0.5

Amounts = list[Candidate[Decimal]]


def of_rows(
    pages: Sequence[PageEvidence], style: Style, totals: Sequence[Candidate[Decimal]]
) -> tuple[Amounts, Amounts]:
    """The nets and the taxes that make one of the totals together, in one row with it."""
    wanted = {total.value for total in totals}
    nets: Amounts = []
    taxes: Amounts = []
    for number, page in enumerate(pages):
        for line in page.lines:
            for net, tax in _pairs(amounts_of_line(page.facts, line, style), wanted):
                nets.append(Candidate(net[1], IN_ROW, Place(number, (net[0],))))
                taxes.append(Candidate(tax[1], IN_ROW, Place(number, (tax[0],))))
    return nets, taxes


_Number = tuple[int, Decimal]


def _pairs(numbers: Sequence[_Number], totals: set[Decimal]) -> Iterator[tuple[_Number, _Number]]:
    if not 3 <= len(numbers) <= _MOST or not any(value in totals for _, value in numbers):
        return
    printed = {value for _, value in numbers}
    for net, tax in permutations(numbers, 2):
        total = net[1] + tax[1]
        if total in totals and total in printed and _is_tax_of(tax[1], net[1]):
            yield net, tax


def _is_tax_of(tax: Decimal, net: Decimal) -> bool:
    return net != 0 and 0 < tax / net <= _HIGHEST_RATE


_CENT = Decimal("0.01")
# The line of taxes is so many lines below that of the nets.
_CLOSE = 2
_WHOLE = re.compile(r"[1-9]\d?")
# Most rates are multiples of this.
_HALF = Decimal("0.5")


@dataclass(frozen=True, slots=True)
class TaxedSum:
    """What rows of net amounts and taxes come to, each tax made by its printed rate; `place` is the first tax."""

    total: Decimal
    tax: Decimal
    place: Place


def of_rates(pages: Sequence[PageEvidence], style: Style) -> list[TaxedSum]:
    """The sums of each table whose rows print a rate, a net and the tax that the rate makes of it, and of all such rows
    of a page together. A tax of a few cents follows from any rate: then there must be more than one row."""
    found = [rows for number, page in enumerate(pages) for rows in _taxed_rows(number, page, style)]
    sums = [(len(rows), _sum(rows)) for rows in found]
    return [each for rows, each in sums if each.tax >= LEAST_TAX or (each.tax and rows > 1)]


def _taxed_rows(number: int, page: PageEvidence, style: Style) -> Iterator[list[TaxedSum]]:
    tables = [table for table in _tables_of_rates(number, page, style) if table]
    yield from tables
    if len(tables) > 1:
        yield [row for table in tables for row in table]
    yield from ([taxed] for taxed in _across(number, page, style))


def _sum(rows: Sequence[TaxedSum]) -> TaxedSum:
    return TaxedSum(
        sum((row.total for row in rows), Decimal(0)), sum((row.tax for row in rows), Decimal(0)), rows[0].place
    )


def _across(number: int, page: PageEvidence, style: Style) -> Iterator[TaxedSum]:
    """What a table of taxes comes to that has a column for each rate: a line of nets with their sum, and close below it
    a line of taxes with theirs."""
    rows = [amounts_of_line(page.facts, line, style) for line in page.lines]
    for at, nets in enumerate(rows):
        for taxes in rows[at + 1 : at + 1 + _CLOSE]:
            if len(nets) == len(taxes) and _ends_in_sum(nets) and _ends_in_sum(taxes):
                net, (word, tax) = nets[-1][1], taxes[-1]
                if all(_is_tax_of(part, whole) for (_, whole), (_, part) in zip(nets, taxes, strict=True)):
                    yield TaxedSum(net + tax, tax, Place(number, (word,)))


def _ends_in_sum(row: Sequence[_Number]) -> bool:
    *parts, total = [value for _, value in row] or [Decimal(0)]
    return len(parts) > 1 and sum(parts) == total


def _tables_of_rates(number: int, page: PageEvidence, style: Style) -> Iterator[list[TaxedSum]]:
    """The rows of each table: lines below one another that print a rate."""
    rows: list[TaxedSum] = []
    for line in page.lines:
        numbers = amounts_of_line(page.facts, line, style)
        rates = tax_rates(page.text(line))
        made = _taxed(rates, numbers) if rates else _taxed_barely(numbers) or _taxed(_whole_rates(page, line), numbers)
        if not rates and not made:
            yield rows
            rows = []
        if made:
            net, (word, _), tax = made
            rows.append(TaxedSum(net + tax, tax, Place(number, (word,))))
    yield rows


_Taxed = tuple[Decimal, _Number, Decimal]


def _taxed_barely(numbers: Sequence[_Number]) -> _Taxed | None:
    """Net and tax if the number between or before them is the rate, printed without "%"; and what the next rate makes
    of the same net, as a surcharge on some customers' taxes."""
    values = [value for _, value in numbers]
    for at in range(len(values) - 2):
        for rate, net in sorted(permutations(values[at : at + 2]), key=lambda pair: (pair[0] % _HALF != 0, pair[0])):
            if _is_made(rate, net, values[at + 2]):
                surcharge = values[at + 3 : at + 5]
                more = surcharge[1] if len(surcharge) == 2 and _is_made(surcharge[0], net, surcharge[1]) else Decimal(0)
                return net, numbers[at + 2], values[at + 2] + more
    return None


def _whole_rates(page: PageEvidence, line: Sequence[int]) -> list[Decimal]:
    """The numbers of a line that may be rates, for which the head of their column has the "%"."""
    texts = (page.page.words[word].text for word in line)
    return [Decimal(text) for text in texts if _WHOLE.fullmatch(text) and Decimal(text) <= HIGHEST]


def _is_made(rate: Decimal, net: Decimal, tax: Decimal) -> bool:
    return 0 < rate <= HIGHEST and net > tax >= LEAST_TAX and abs(net * rate / 100 - tax) <= _CENT


def _taxed(rates: Sequence[Decimal], numbers: Sequence[_Number]) -> _Taxed | None:
    """Net and tax, which are side by side, if one of the rates makes the tax of the net."""
    for pair in pairwise(numbers):
        for (_, net), tax in permutations(pair):
            if net > tax[1] >= 0 and any(abs(net * rate / 100 - tax[1]) <= _CENT for rate in rates):
                return net, tax, tax[1]
    return None


# A row of sums has at least this many columns that add up: two may do so by accident.
_COLUMNS = 3
_ROWS = 12
# Right edges of a column differ by less than this, as a share of the page's width.
_ALIGNED = 0.008


def sums_of_parts(pages: Sequence[PageEvidence], style: Style) -> dict[Decimal, Candidate[Decimal]]:
    """What a row below adds up, as those of each supply in a year's bill, each with the sum of its column, which is the
    invoice's own. One of the rows must print a rate, and the tax that it makes: other reports have rows of sums, too.
    The sums have no score."""
    return dict(pair for number, page in enumerate(pages) for pair in _added_up(number, page, style))


def _added_up(number: int, page: PageEvidence, style: Style) -> Iterator[tuple[Decimal, Candidate[Decimal]]]:
    lines = [(line, row) for line in page.lines if (row := amounts_of_line(page.facts, line, style))]
    for end, (_, sums) in enumerate(lines):
        if len(sums) >= _COLUMNS:
            yield from _parts_of(number, page, sums, lines[max(0, end - _ROWS) : end])


def _parts_of(
    number: int, page: PageEvidence, sums: Sequence[_Number], above: Sequence[tuple[Words, Sequence[_Number]]]
) -> Iterator[tuple[Decimal, Candidate[Decimal]]]:
    """The amounts of the fewest rows right above a row that it adds up, each with its sum."""
    columns = [(word, whole, [_in_column(page, row, word) for _, row in above]) for word, whole in sums]
    for count in range(2, len(above) + 1):
        added = [each for each in columns if sum(each[2][-count:]) == each[1]]
        if len(added) >= _COLUMNS and any(_has_rate(page, *row) for row in above[-count:]):
            printed = {whole for _, whole in sums}
            for word, whole, parts in added:
                place = Place(number, (word,))
                yield from ((part, Candidate(whole, 0.0, place)) for part in parts[-count:] if part not in printed)
            return


def _has_rate(page: PageEvidence, line: Sequence[int], row: Sequence[_Number]) -> bool:
    return _taxed(tax_rates(page.text(line)), row) is not None


def _in_column(page: PageEvidence, row: Sequence[_Number], word: int) -> Decimal:
    """The amount of a row that ends where a word ends, 0 if there is none."""
    edge = page.page.words[word].box.x1
    return next((value for other, value in row if abs(page.page.words[other].box.x1 - edge) < _ALIGNED), Decimal(0))
