"""Where the pages of a document print the values of its truth."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from models.adapters.locate import Locator
from models.evaluation.compare import is_absent, number
from models.evaluation.dataset import Truth
from models.evaluation.formats.record import CELLS, Printed
from models.evaluation.formats.values import LABELS, NUMBERS
from serve_app.domain.document import Page
from serve_app.extraction.currency.currencies import currency_of
from serve_app.extraction.notation.numbers import decimal_style

_HEAD = ("vendor_name", "invoice_number", "issued_at", "due_at")
_SUMS = ("tax", "amount")


def printed_values(truth: Truth, pages: Sequence[Page]) -> tuple[Printed, ...]:
    """Each value that a page prints, once. Values are sought in the order in which invoices print them: of equal
    amounts, the total is the one after the rows."""
    finder = _Finder(pages)
    found = [finder.find(key, truth.get(key)) for key in _HEAD]
    for index, row in enumerate(truth.get("line_items") or []):
        found += finder.row(index, row)
    found += [finder.find(key, truth.get(key), is_sum=True) for key in _SUMS]
    found.append(finder.currency(truth.get("currency")))
    return tuple(each for each in found if each is not None)


class _Finder:
    def __init__(self, pages: Sequence[Page]) -> None:
        self._pages = pages
        self._locators = [Locator(page) for page in pages]
        self._mark = decimal_style([word.text for page in pages for word in page.words]).value

    def find(self, key: str, value: Any, row: int | None = None, *, is_sum: bool = False) -> Printed | None:
        """The place of a value; sums stand on the last page that prints them."""
        if is_absent(value):
            return None
        return next(self._found(key, self._as_printed(key, value), row, is_sum=is_sum), None)

    def row(self, index: int, row: Mapping[str, Any]) -> Iterator[Printed | None]:
        return (self.find(cell, row.get(cell), index) for cell in CELLS)

    def currency(self, code: str | None) -> Printed | None:
        """The first word that is the code or a sign of a currency, and no part of an amount."""
        for index, page in enumerate(self._pages):
            for position, word in enumerate(page.words):
                if code and not any(map(str.isdigit, word.text)) and currency_of(word.text, {code: 1}) == code:
                    return Printed("currency", word.text, index, (position,))
        return None

    def _found(self, key: str, text: str, row: int | None, *, is_sum: bool) -> Iterator[Printed]:
        numbers = range(len(self._pages))
        for index in reversed(numbers) if is_sum else numbers:
            place = self._locators[index].find(LABELS[key], text)
            if place is not None and place.is_printed:
                printed = " ".join(self._pages[index].words[word].text for word in place.words)
                yield Printed(key, printed, index, place.words, row)

    def _as_printed(self, key: str, value: Any) -> str:
        """A number in the notation of the page, and any other value as it is."""
        found = number(value) if key in NUMBERS else None
        return str(value) if found is None else f"{found:f}".replace(".", self._mark)
