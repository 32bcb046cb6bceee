"""Tables of sums: net, tax and total in one row, under captions that may be far above them or not above them at all;
net and tax of each rate; and rows that another one adds up."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise, permutations

from serve_app.extraction.candidates import Candidate, Place
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style, ends_in_decimals, parse_number
from serve_app.extraction.proofs import LEAST_TAX
from serve_app.extraction.tax_rates import tax_rates

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
            for net, tax in _pairs(_numbers(page, line, style), wanted):
                nets.append(Candidate(net[1], IN_ROW, Place(number, (net[0],))))
                taxes.append(Candidate(tax[1], IN_ROW, Place(number, (tax[0],))))
    return nets, taxes


_Number = tuple[int, Decimal]


def _numbers(page: PageEvidence, line: Sequence[int], style: Style) -> list[_Number]:
    """The amounts of a line with decimals, each with its word."""
    found = []
    for word in line:
        text = page.page.words[word].text
        if ends_in_decimals(text) and (value := parse_number(text, style)) is not None:
            found.append((word, value))
    return found


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


_Sums = tuple[Decimal, Decimal]
_CENT = Decimal("0.01")


def of_rates(pages: Sequence[PageEvidence], style: Style) -> frozenset[_Sums]:
    """Total and tax of each table whose rows print a rate, a net and the tax that the rate makes of it. A tax of a few
    cents follows from any rate: then there must be more than one row."""
    tables = [table for page in pages for table in _tables_of_rates(page, style)]
    sums = [(len(table), sum(net for net, _ in table), sum(tax for _, tax in table)) for table in tables]
    return frozenset(
        (Decimal(net + tax), Decimal(tax)) for rows, net, tax in sums if tax >= LEAST_TAX or (tax and rows > 1)
    )


def _tables_of_rates(page: PageEvidence, style: Style) -> Iterator[list[_Sums]]:
    """The rows of each table: lines below one another that print a rate."""
    rows: list[_Sums] = []
    for line in page.lines:
        rates = tax_rates(page.text(line))
        if not rates:
            yield rows
            rows = []
        rows.extend(_sums_of_rate(rates, [value for _, value in _numbers(page, line, style)]))
    yield rows


def _sums_of_rate(rates: Sequence[Decimal], values: Sequence[Decimal]) -> list[_Sums]:
    """Net and tax, which are side by side, if one of the rates makes the tax of the net."""
    pairs = [pair for one, other in pairwise(values) for pair in ((one, other), (other, one))]
    made = (
        (net, tax) for net, tax in pairs for rate in rates if net > tax >= 0 and abs(net * rate / 100 - tax) <= _CENT
    )
    return list(made)[:1]


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
    lines = [(line, row) for line in page.lines if (row := _numbers(page, line, style))]
    for end, (_, sums) in enumerate(lines):
        if len(sums) < _COLUMNS:
            continue
        above = lines[max(0, end - _ROWS) : end]
        columns = [(word, whole, [_in_column(page, row, word) for _, row in above]) for word, whole in sums]
        for count in range(2, len(above) + 1):
            added = [each for each in columns if sum(each[2][-count:]) == each[1]]
            if len(added) >= _COLUMNS and any(_has_rate(page, *row) for row in above[-count:]):
                printed = {whole for _, whole in sums}
                for word, whole, parts in added:
                    place = Place(number, (word,))
                    yield from ((part, Candidate(whole, 0.0, place)) for part in parts[-count:] if part not in printed)
                break


def _has_rate(page: PageEvidence, line: Sequence[int], row: Sequence[_Number]) -> bool:
    return bool(_sums_of_rate(tax_rates(page.text(line)), [value for _, value in row]))


def _in_column(page: PageEvidence, row: Sequence[_Number], word: int) -> Decimal:
    """The amount of a row that ends where a word ends, 0 if there is none."""
    edge = page.page.words[word].box.x1
    return next((value for other, value in row if abs(page.page.words[other].box.x1 - edge) < _ALIGNED), Decimal(0))
