"""Printed page numbers: "Page 2 of 3", "Seite 2", "2/3", "- 2 -"."""

from dataclasses import dataclass

from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.knowledge import WordPattern

# The share of the page, at its top and bottom, where a number without a word is a page number.
MARGIN = 0.12
MOST_PAGES = 500
_OF = r"(?:/|{*pages.of*}|\|)"
_NAMED = WordPattern(
    r"\b{pages.word*}\s*[.:]?\s*(?:{*documents.numbered*})?\s*[.:]?\s*(\d{1,3})" rf"(?:\s*{_OF}\s*(\d{{1,3}}))?\b"
)
_CAPTION = WordPattern(r"{pages.word*}\s*(?:{documents.numbered})?\s*[.:]?")
_BARE = WordPattern(rf"(?:[-–—]\s*(\d{{1,3}})\s*[-–—]|(\d{{1,3}})\s*{_OF}\s*(\d{{1,3}}))")
# "Subtotal page 2" and "carried from page 1" name sums, not this page.
_SUM = WordPattern("{*pages.sum*}")


@dataclass(frozen=True, slots=True)
class PageNumber:
    """The number printed on a page, and the number of pages if it is printed, too."""

    number: int
    of: int | None


def printed_page_number(page: PageEvidence) -> PageNumber | None:
    """The page number, searched for from the page's edges inwards; None if there is none."""
    middle = sorted(page.lines, key=lambda line: -abs(page.box(line).y_center - 0.5))
    for line in middle:
        found = _named(page.text(line))
        if found is None and _is_marginal(page, line):
            found = _bare(page.text(line))
        found = found or _below_caption(page, line)
        if found is not None:
            return found
    return None


def _is_marginal(page: PageEvidence, line: tuple[int, ...]) -> bool:
    return not MARGIN < page.box(line).y_center < 1 - MARGIN


def _below_caption(page: PageEvidence, line: tuple[int, ...]) -> PageNumber | None:
    """The number in the cell below one that only says "Page"."""
    for upper in page.cells_of(line):
        if _CAPTION.fullmatch(page.text(upper)):
            below = page.facts.cells_near(upper, (1,))
            return next((found for cell in below if (found := _bare(page.text(cell)))), None)
    return None


def _named(text: str) -> PageNumber | None:
    found = None if _SUM.search(text) else _NAMED.search(text)
    return None if found is None else _checked(found[1], found[2])


def _bare(text: str) -> PageNumber | None:
    found = _BARE.fullmatch(text.strip())
    return None if found is None else _checked(found[1] or found[2], found[3])


def _checked(number: str, of: str | None) -> PageNumber | None:
    count = int(of) if of else None
    if not 1 <= int(number) <= (MOST_PAGES if count is None else count) <= MOST_PAGES:
        return None
    return PageNumber(int(number), count)
