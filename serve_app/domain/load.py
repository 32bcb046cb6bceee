"""How much work a document is expected to be, before anybody has read it."""

from dataclasses import dataclass
from enum import StrEnum


class PageKind(StrEnum):
    """How the pages of a document will probably be read. Kinds differ in what a page costs, by a factor of a
    hundred."""

    TEXT = "text"
    """A PDF with a text layer, or HTML."""
    SCAN = "scan"
    """A PDF whose pages are pictures."""
    PHOTO = "photo"
    """A picture."""


@dataclass(frozen=True, slots=True)
class Load:
    """What a look at the bytes of a document, without opening it, says about it."""

    kind: PageKind = PageKind.TEXT
    pages: int = 1


UNKNOWN = Load()
"""Of a document that nobody has looked at."""
