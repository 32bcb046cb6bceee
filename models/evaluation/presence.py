"""Which true values are among the words read: no model can find the others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from rapidfuzz import fuzz

from models.evaluation.compare import HEADER, is_absent, number
from models.evaluation.dataset import Truth
from serve_app.domain.document import Page
from serve_app.domain.reading_order import group_lines
from serve_app.extraction.dates.dates import Order, find_dates
from serve_app.extraction.notation.numbers import Style, parse_number

# A name counts as read above this similarity, 0 to 100: one letter in ten may be wrong.
SAME_NAME = 90
_ALTERNATIVES = {"vendor_name": "_vendor_alt", "invoice_number": "_number_alt", "amount": "_amount_alt"}


def present(truth: Truth, pages: Sequence[Page]) -> dict[str, bool]:
    """For every printed value of the truth: whether it is among the words of `pages`. Currencies are left out, because
    what counts as printing one is a matter of opinion."""
    lines = [line for page in pages for line in lines_of(page)]
    hidden = truth.get("_not_printed", [])
    return {
        name: any(stands(name, value, lines) for value in [truth[name], *truth.get(_ALTERNATIVES.get(name, ""), [])])
        for name in HEADER
        if name in truth and name != "currency" and name not in hidden and not is_absent(truth[name])
    }


def is_row_read(row: Mapping[str, Any], pages: Sequence[Page]) -> bool:
    """Whether the description and the price of a true line item are among the words, the price as that of one unit or
    of several. A quantity is not looked for: small numbers are printed everywhere."""
    description, price = row.get("description"), number(row.get("unit_price"))
    lines = [lines_of(page) for page in pages]
    if description and not any(stands("description", description, each) for each in lines):
        return False
    basis = number(row.get("_basis_quantity")) or Decimal(1)
    return price is None or any(stands("amount", each, line) for each in (price, price / basis) for line in lines)


def lines_of(page: Page) -> list[str]:
    """The printed lines of a page."""
    return [" ".join(page.words[word].text for word in line) for line in group_lines([word.box for word in page.words])]


def stands(name: str, value: Any, lines: Iterable[str]) -> bool:
    """Whether the value of a field is in the lines, in any usual notation."""
    if name in ("amount", "tax"):
        return any(abs(Decimal(str(value))) in _numbers(line.split()) for line in lines)
    if name in ("issued_at", "due_at"):
        return any(date.fromisoformat(value) in _dates(line) for line in lines)
    text = _plain("".join(lines))
    if name == "invoice_number":
        return _plain(str(value)) in text
    return fuzz.partial_ratio(_plain(str(value)), text) >= SAME_NAME


def _numbers(words: Sequence[str]) -> Iterator[Decimal]:
    """Every number that one word, or two or three neighbours, may mean."""
    for count in (1, 2, 3):
        for start in range(len(words) - count + 1):
            run = words[start : start + count]
            for text in {"".join(run), " ".join(run)}:
                found = (parse_number(text.rstrip(".,"), style) for style in Style)
                yield from (abs(number) for number in found if number is not None)


def _dates(line: str) -> set[date | None]:
    return {found.value(order) for found in find_dates(line) for order in Order}


def _plain(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
