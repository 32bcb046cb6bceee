"""Tables of sums: net, tax and total in one row, under captions that may be far above them or not above them at all."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import permutations

from serve_app.extraction.candidates import Candidate, Place
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style, ends_in_decimals, parse_number

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
