"""What a document will probably cost to read, guessed from its bytes without opening it.

A wrong guess costs nothing but a worse estimate: what a page of each kind takes is measured by the same guesses.
"""

import re
from collections.abc import Iterator

from serve_app.documents.sniff import HTML, PDF, XML
from serve_app.domain.load import Load, PageKind

# What is inside a compressed object is not found: then the document counts as one page for each large picture.
_PAGE = re.compile(rb"/Type\s{0,9}/Page(?![A-Za-z])")
# Pictures are always streams of their own, and a stream's dictionary is never compressed.
_WIDTH = re.compile(rb"/Width\s{1,9}(\d{3,5})(?!\d)")
_IMAGE = b"/Image"
MOST_PAGES = 200
"""A document cannot count as more, whatever it says: by default, it would not be read."""
_DICTIONARY = 400
"""About as many bytes before and after the width of a picture does its dictionary have."""
_SCAN_WIDTH = 1000
"""Pixels: A4 at 120 dpi; logos are narrower."""
_MOST_PLACES = 50_000
"""More than a file of 200 pages has objects of a kind."""


def expected_load(data: bytes, mime_type: str | None) -> Load:
    """The kind, and the number of pages from 1 to `MOST_PAGES`. Takes some milliseconds for each megabyte."""
    if mime_type in (HTML, XML):
        return Load()
    if mime_type != PDF:
        return Load(PageKind.PHOTO)
    pictures = sum(_is_page(data, match) for match in _matches(data, b"/Width", _WIDTH))
    found = sum(1 for _ in _matches(data, b"/Type", _PAGE))
    pages = min(max(found or pictures, 1), MOST_PAGES)
    return Load(PageKind.SCAN if pictures >= pages else PageKind.TEXT, pages)


def _matches(data: bytes, start: bytes, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    """Where the pattern is, which begins with `start`. A search for plain bytes is many times faster, and the number of
    places that are looked at is limited."""
    at = -1
    for _ in range(_MOST_PLACES):
        if (at := data.find(start, at + 1)) < 0:
            return
        if match := pattern.match(data, at):
            yield match


def _is_page(data: bytes, match: re.Match[bytes]) -> bool:
    if int(match[1]) < _SCAN_WIDTH:
        return False
    return _IMAGE in data[max(0, match.start() - _DICTIONARY) : match.end() + _DICTIONARY]
