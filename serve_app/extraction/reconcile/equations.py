"""Printed amounts that make another one, whatever they are called: columns that add up downwards, rows of net, tax and
total, and tables of taxes whose rates make them."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise, permutations

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.captions import Caption
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts.numbers import amounts_of_line
from serve_app.extraction.notation.numbers import Style, ends_in_decimals
from serve_app.extraction.reconcile.tax_rates import HIGHEST, HIGHEST_TAX, LEAST_TAX, tax_rates
from serve_app.extraction.tables.numbers import printed_numbers

# Right edges of a column differ by less than this, as a share of the page's width.
_ALIGNED = 0.008
# No more amounts are added up.
_MOST = 60
_FEWEST = 2
# A row of sums has at least this many columns that add up: two may do so by accident.
_COLUMNS = 3
# More numbers in a line are rather a list than a row of sums.
_WIDEST = 9
# The line of taxes is so many lines below the nets'.
_CLOSE = 2
_CENT = Decimal("0.01")
# Most rates are multiples of this.
_HALF = Decimal("0.5")
_WHOLE = re.compile(r"[1-9]\d?")
# The probability from which on a model counts as taking an amount for a tax, or for a payment.
_SEEN = 0.25
_TAXES = (Label.TAX, Label.TAX_LINE)
# What was paid, or is owed from before, makes what is left to pay of the invoice, and no sum of it.
_OTHER_SUMS = frozenset({Caption.PAID, Caption.CHANGE, Caption.PREVIOUS, Caption.AMOUNT_DUE})


@dataclass(frozen=True, slots=True)
class Equation:
    """A sum, and the tax in it, 0 if none is, with its place. `by_rate`: rates make it; `is_exact`: with its net it is
    all of the sum."""

    total: Decimal
    tax: Decimal = Decimal(0)
    place: Place | None = None
    by_rate: bool = False
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    """An amount of a column; `row` is the index of its printed line. `is_below_tax`: the head of the column is a
    tax's."""

    value: Decimal
    place: Place
    row: int
    is_tax: bool
    is_below_tax: bool
    is_other: bool


@dataclass(frozen=True, slots=True)
class Ledger:
    """Amounts of a column that make the one under them."""

    entries: tuple[_Entry, ...]
    sum: _Entry

    @property
    def whole(self) -> Candidate[Decimal]:
        """What they come to, without a score."""
        return Candidate(self.sum.value, 0.0, self.sum.place)

    @property
    def parts(self) -> frozenset[Decimal]:
        """What is added up, but for the taxes."""
        return frozenset(entry.value for entry in self.entries if not entry.is_tax)

    @property
    def is_of_taxes(self) -> bool:
        """Whether they may be taxes, those of each rate, as the head of their column says."""
        return self.sum.is_below_tax

    @property
    def equation(self) -> Equation:
        """The sum, with those of its amounts that are taxes."""
        total, taxes = self.sum.value, [entry for entry in self.entries if entry.is_tax]
        tax = sum((each.value for each in taxes), Decimal(0))
        # What is called a tax may be what it is of: only a small share of the total is one.
        is_tax = 0 < tax * total <= HIGHEST_TAX * total * total
        return Equation(total, tax, taxes[0].place) if is_tax else Equation(total)


def ledgers(pages: Sequence[PageEvidence], style: Style) -> list[Ledger]:
    """All columns that add up, without those of payments."""
    columns = (column for number, page in enumerate(pages) for column in _columns(number, page, style))
    return [ledger for column in columns for ledger in _added_up(column)]


def _added_up(column: Sequence[_Entry]) -> Iterator[Ledger]:
    for end in range(_FEWEST, len(column)):
        added = Decimal(0)
        for start in range(end - 1, max(-1, end - 1 - _MOST), -1):
            if column[start].is_other:
                break
            added += column[start].value
            if added == column[end].value and _is_significant(column[start:end]):
                yield Ledger(tuple(column[start:end]), column[end])


def _is_significant(parts: Sequence[_Entry]) -> bool:
    """Whether it is no accident that amounts add up: there are several, and not twice the same."""
    values = [part.value for part in parts if part.value]
    return len(values) >= _FEWEST and (len(values) > _FEWEST or values[0] != values[1])


def _columns(number: int, page: PageEvidence, style: Style) -> Iterator[list[_Entry]]:
    """The amounts with decimals of each column, from top to bottom."""
    columns: list[tuple[float, list[_Entry]]] = []
    for row, line in enumerate(page.lines):
        for words, value in printed_numbers(page, line, style):
            if ends_in_decimals(page.text(words)):
                edge, entry = page.box(words).x1, _entry(page, Place(number, words), row, value)
                column = next((found for at, found in columns if abs(at - edge) < _ALIGNED), None)
                if column is None:
                    columns.append((edge, [entry]))
                else:
                    column.append(entry)
    yield from (column for _, column in columns)


def _entry(page: PageEvidence, place: Place, row: int, value: Decimal) -> _Entry:
    captions = page.captions(place.words)
    before = frozenset(captions.before)
    # "PST 7 % on goods".
    is_rated = Caption.TAX in captions.earlier and bool(tax_rates(page.text(page.lines[row])))
    is_seen = any(page.mean(place.words, label) > _SEEN for label in _TAXES)
    return _Entry(
        value,
        place,
        row,
        is_tax=Caption.WITHHELD not in before and (Caption.TAX in before or is_rated or is_seen),
        is_below_tax=Caption.TAX in captions.column,
        is_other=not before.isdisjoint(_OTHER_SUMS) or page.mean(place.words, Label.PAID) > _SEEN,
    )


def added_up_by_rows(
    pages: Sequence[PageEvidence], style: Style, found: Sequence[Ledger]
) -> Iterator[tuple[Decimal, Candidate[Decimal]]]:
    """The amounts of rows that a row below adds up, as those of each supply in a bill of a year, or of work so far less
    what was billed before, each with the sum of its column, which is the invoice's own. One of the rows must print a
    tax, with its rate, or with net and total: other reports have rows of sums, too."""
    rows: dict[tuple[int, ...], list[Ledger]] = defaultdict(list)
    for ledger in found:
        rows[ledger.sum.place.page, *(entry.row for entry in (*ledger.entries, ledger.sum))].append(ledger)
    for (number, *parts, _), columns in rows.items():
        page = pages[number]
        if len(columns) >= _COLUMNS and any(_has_tax(page, page.lines[row], style) for row in parts):
            printed = {column.sum.value for column in columns}
            pairs = ((entry.value, column.whole) for column in columns for entry in column.entries)
            yield from (pair for pair in pairs if pair[0] not in printed)


def _has_tax(page: PageEvidence, line: Sequence[int], style: Style) -> bool:
    numbers = amounts_of_line(page.facts, line, style)
    return _taxed(tax_rates(page.text(line)), numbers) is not None or any(_made_in_row(numbers))


_Number = tuple[int, Decimal]


def of_rows(pages: Sequence[PageEvidence], style: Style, totals: Collection[Decimal]) -> Iterator[Equation]:
    """The nets and the taxes that make one of the totals together, in one row with it."""
    for number, page in enumerate(pages):
        for line in page.lines:
            numbers = amounts_of_line(page.facts, line, style)
            printed = {value for _, value in numbers}
            if not printed.isdisjoint(totals):
                for net, (word, tax) in _made_in_row(numbers):
                    if net + tax in totals:
                        yield Equation(net + tax, tax, Place(number, (word,)), is_exact=True)


def _made_in_row(numbers: Sequence[_Number]) -> Iterator[tuple[Decimal, _Number]]:
    """The nets and the taxes that make another number of a row together."""
    printed = {value for _, value in numbers}
    if 3 <= len(numbers) <= _WIDEST:
        for (_, net), (word, tax) in permutations(numbers, 2):
            if net + tax in printed and _is_tax_of(tax, net):
                yield net, (word, tax)


def _is_tax_of(tax: Decimal, net: Decimal) -> bool:
    return net != 0 and 0 < tax / net <= HIGHEST_TAX


def of_rates(pages: Sequence[PageEvidence], style: Style) -> list[Equation]:
    """The sums of each table whose rows print a rate, a net and the tax that the rate makes of it, and of all such rows
    of a page together. A tax of a few cents follows from any rate: then there must be more than one row."""
    found = [rows for number, page in enumerate(pages) for rows in _taxed_rows(number, page, style)]
    sums = [(len(rows), _sum(rows)) for rows in found]
    return [each for rows, each in sums if each.tax >= LEAST_TAX or (each.tax and rows > 1)]


def _taxed_rows(number: int, page: PageEvidence, style: Style) -> Iterator[list[Equation]]:
    tables = [table for table in _tables_of_rates(number, page, style) if table]
    yield from tables
    if len(tables) > 1:
        yield [row for table in tables for row in table]
    yield from ([taxed] for taxed in _across(number, page, style))


def _sum(rows: Sequence[Equation]) -> Equation:
    total, tax = (sum(values, Decimal(0)) for values in zip(*((row.total, row.tax) for row in rows), strict=True))
    return Equation(total, tax, rows[0].place, by_rate=True, is_exact=True)


def _across(number: int, page: PageEvidence, style: Style) -> Iterator[Equation]:
    """What a table of taxes comes to that has a column for each rate: a line of nets with their sum, and close below it
    a line of taxes with theirs."""
    rows = [amounts_of_line(page.facts, line, style) for line in page.lines]
    for at, nets in enumerate(rows):
        for taxes in rows[at + 1 : at + 1 + _CLOSE]:
            if len(nets) == len(taxes) and _ends_in_sum(nets) and _ends_in_sum(taxes):
                net, (word, tax) = nets[-1][1], taxes[-1]
                if all(_is_tax_of(part, whole) for (_, whole), (_, part) in zip(nets, taxes, strict=True)):
                    yield Equation(net + tax, tax, Place(number, (word,)))


def _ends_in_sum(row: Sequence[_Number]) -> bool:
    *parts, total = [value for _, value in row] or [Decimal(0)]
    return len(parts) > 1 and sum(parts) == total


def _tables_of_rates(number: int, page: PageEvidence, style: Style) -> Iterator[list[Equation]]:
    """The rows of each table: lines below one another that print a rate."""
    rows: list[Equation] = []
    for line in page.lines:
        numbers = amounts_of_line(page.facts, line, style)
        rates = tax_rates(page.text(line))
        made = _taxed(rates, numbers) if rates else _taxed_barely(numbers) or _taxed(_whole_rates(page, line), numbers)
        if not rates and not made:
            yield rows
            rows = []
        if made:
            net, (word, _), tax = made
            rows.append(Equation(net + tax, tax, Place(number, (word,))))
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
