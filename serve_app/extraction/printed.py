"""What the pages of a document print, whatever the models say."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from serve_app.domain.document import TextSource
from serve_app.extraction.currency.countries import home_currencies
from serve_app.extraction.currency.currencies import (
    currency_of,
    is_strong_mark,
    may_mean,
    strong_marks,
)
from serve_app.extraction.dates.dates import Order, day_month_order, find_dates
from serve_app.extraction.facts import PageFacts
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.notation.numbers import Style, parse_number

_NUMBER = re.compile(r"\d[\d.,'’]*\d|\d")
_DECIMALS = re.compile(r"\d[.,]\d{2}(?!\d)|\d[.,][-–−]")
# A shorter number is searched for as a whole word: its digits alone are everywhere.
_SHORT = 4
# Letters that OCR takes for digits.
_LOOK_ALIKES = str.maketrans("OQDILSBZ", "00011582")
_DUE = WordPattern("{terms.due}")
# "3 250,00": groups of thousands set apart by spaces.
_WIDEST_NUMBER = 4


@dataclass(frozen=True, slots=True)
class PrintedText:
    """The lines of all pages; `is_seen` if some were read from pictures, letter by letter."""

    lines: tuple[str, ...]
    is_seen: bool

    def has_code(self, code: str) -> bool:
        """Whether the pages print a code of letters and digits, whatever separates its parts."""
        wanted = [character for character in code.upper() if character.isalnum()]
        if not wanted:
            return False
        gap = r"[\W_]{0,3}" if len(wanted) >= _SHORT else ""
        spelled = gap.join(re.escape(character) for character in self._folded("".join(wanted)))
        pattern = rf"(?<![^\W_]){spelled}(?![^\W_])"
        return re.search(pattern, self._folded("\n".join(self.lines).upper())) is not None

    def without(self, number: str) -> "PrintedText":
        """The text for a search of dates: without this number, if a part of it looks like a date."""
        if not find_dates(number):
            return self
        printed = re.compile(rf"(?<![^\W_]){re.escape(number)}(?![^\W_])", re.IGNORECASE)
        return replace(self, lines=tuple(printed.sub(" ", line) for line in self.lines))

    def _folded(self, text: str) -> str:
        return text.translate(_LOOK_ALIKES) if self.is_seen else text

    def amounts(self) -> frozenset[Decimal]:
        """Sums of money, without sign: numbers with two decimals, and numbers next to a currency."""
        return frozenset(abs(value) for line in self.lines for value in _amounts(line.split()))

    def dates(self) -> frozenset[date]:
        """Dates; one that can be read in two ways counts as both, unless another date of the document decides."""
        orders = {day_month_order(self.lines, month_first_hint=hint) for hint in (True, False)}
        return frozenset(value for line in self.lines for value in dates_of(line, orders))

    def due_dates(self) -> frozenset[date]:
        """Dates on lines that mention the due date."""
        lines = tuple(line for line in self.lines if _DUE.search(line))
        return PrintedText(lines, self.is_seen).dates() if lines else frozenset()

    def names_currency(self, code: str) -> bool:
        """Whether a code or sign of the pages can mean the currency."""
        return any(may_mean(word, code) for line in self.lines for word in line.split())

    def currencies(self) -> frozenset[str]:
        """The currencies that unmistakable codes and signs name."""
        home = home_currencies(self.lines)
        words = [word for line in self.lines for word in strong_marks(line.split())]
        return frozenset(filter(None, (currency_of(word, home) for word in words)))


def printed_text(pages: Sequence[PageFacts]) -> PrintedText:
    """The text of all pages."""
    lines = tuple(page.text(line) for page in pages for line in page.lines)
    return PrintedText(lines, any(page.page.source is TextSource.OCR for page in pages))


def dates_of(line: str, orders: Iterable[Order]) -> Iterator[date]:
    """The dates of a line, in each order of day and month; with points between, the day always comes first."""
    for found in find_dates(line):
        has_points = found.is_ambiguous and "." in line[found.start : found.end]
        for order in (Order.DAY_FIRST,) if has_points else orders:
            value = found.value(order)
            if value is not None:
                yield value


def _amounts(words: list[str]) -> Iterator[Decimal]:
    for index, word in enumerate(words):
        for width in range(1, _WIDEST_NUMBER + 1):
            yield from _values(" ".join(words[index : index + width]))
        beside = {*words[max(0, index - 1) : index], word, *words[index + 1 : index + 2]}
        if any(map(is_strong_mark, beside)):
            yield from _readings(word)
        # "EUR571,04*", "(12.50": a number within a word.
        for part in _NUMBER.findall(word):
            yield from _values(part)


def _values(text: str) -> Iterator[Decimal]:
    if _DECIMALS.search(text):
        yield from _readings(text)


def _readings(text: str) -> Iterator[Decimal]:
    for style in Style:
        value = parse_number(text, style)
        if value is not None:
            yield value
