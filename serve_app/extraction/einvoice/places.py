"""Where pages made from an electronic invoice print its values: amounts as plain decimals, dates in ISO 8601."""

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation

from serve_app.domain.document import Document
from serve_app.domain.einvoice import Line, VatBreakdown
from serve_app.domain.invoice import Citation
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.einvoice.data import Value


class PrintedPlaces:
    """The words of the pages, in reading order, to find a value among."""

    def __init__(self, document: Document, cite: Callable[[Place], Citation]) -> None:
        self._cite = cite
        self._places = [
            Place(number, (index,)) for number, page in enumerate(document.pages) for index in range(len(page.words))
        ]
        self._texts = [page.words[index].text for page in document.pages for index in range(len(page.words))]

    def find(self, value: Value) -> Citation | None:
        """Where the pages print a value: the last place of an amount, since totals come last; the first of others."""
        if isinstance(value, Decimal):
            found = (at for at in range(len(self._texts) - 1, -1, -1) if _amount(self._texts[at]) == abs(value))
            at = next(found, None)
            return None if at is None else self._citation(at, 1)
        return self._text(value.isoformat() if isinstance(value, date) else value)

    def find_lines(self, lines: Sequence[Line]) -> list[Citation]:
        """Where the pages print the name of each line; nothing if not all are found."""
        cited, start = [], 0
        for line in lines:
            text = line.name or line.description or ""
            at = self._index(text.split(), start)
            if at is None:
                return []
            cited.append(self._citation(at, len(text.split())))
            start = at + len(text.split())
        return cited

    def find_taxes(self, taxes: Sequence[VatBreakdown]) -> list[Citation]:
        """Where the pages print the tax of each rate; nothing if not all are found."""
        found = [self.find(each.tax) for each in taxes if each.tax is not None]
        cited = [place for place in found if place is not None]
        return cited if len(cited) == len(taxes) else []

    def _text(self, text: str) -> Citation | None:
        wanted = text.split()
        at = self._index(wanted, 0)
        return None if at is None else self._citation(at, len(wanted))

    def _index(self, wanted: Sequence[str], start: int) -> int | None:
        if not wanted:
            return None
        for at in range(start, len(self._texts) - len(wanted) + 1):
            if self._texts[at] == wanted[0] and self._texts[at : at + len(wanted)] == list(wanted):
                return at
        return None

    def _citation(self, at: int, count: int) -> Citation:
        """Of some words in a row; of those on the page of the first."""
        page = self._places[at].page
        same = [place.words[0] for place in self._places[at : at + count] if place.page == page]
        return self._cite(Place(page, tuple(same)))


def _amount(text: str) -> Decimal | None:
    try:
        return abs(Decimal(text)) if text[-1:].isdigit() else None
    except InvalidOperation:
        return None
