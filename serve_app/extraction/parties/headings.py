"""The headings that name a party: "Bill to", "Verkäufer", "Destinatario" ..."""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from serve_app.domain.document import Box
from serve_app.extraction.facts import PageFacts, Words
from serve_app.extraction.facts.vertical_sections import label_beside
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.parties.statements import STATED

_BUYER, _SELLER = "{parties.buyer}", "{parties.seller|parties.payee}"
_HEADING = WordPattern(rf"\b(?:(?P<buyer>{_BUYER})|(?P<seller>{_SELLER}))")
# As a word of its own: not in "Lieferanten-Nr." or "Customer-ID".
_WHOLE_HEADING = WordPattern(rf"(?<![\w-])(?:{_BUYER}|{_SELLER})(?![\w-])")
_PARTY_NAME = WordPattern(rf"(?:{{connectives.articles}}\s+)?(?:{_SELLER}|{_BUYER})(?:\s*name)?\b\W*")
_PAYEE = WordPattern(r"\b{parties.payee}")
_PERSON = WordPattern(r"\b{parties.person}")
_GREETING = WordPattern(r"(?:{parties.dear}\s+\S|{parties.greeting}\s.*[,!]$)")
_THANKS = WordPattern("{parties.thanks}")
_BEHIND_BUYER = WordPattern(r"\s?{parties.behind_buyer}$")
_STATED = WordPattern(rf"(?:{STATED})$")
# What makes the name of a party the caption of its number.
_CODE = WordPattern(r"{parties.code}\W*{connectives.of}?\W*$")
# A heading is at most this many printed lines above the name, and this far (of the page's width) to its side.
LINES_ABOVE = 3
ASIDE = 0.12
# A line of so few words has no other column: it may be the heading of a name far to its right.
ALONE = 2
# A heading has at most so many words.
LONGEST_HEADING = 4


class Party(StrEnum):
    SELLER = "seller"
    BUYER = "buyer"


def party_of(page: PageFacts, words: Sequence[int]) -> Party | None:
    """Which party the nearest heading before a name or above it announces; None if there is no heading nearby."""
    return page.once(_announced_party, tuple(words))


def _announced_party(page: PageFacts, words: Words) -> Party | None:
    row = page.row_of(words[0])
    if is_greeted(page, words):
        return Party.BUYER
    before = _before(page, row, words)
    if before and _STATED.search(f"{page.text(before)} "):
        return Party.SELLER
    label = label_beside(page, words)
    if label:
        return vertical_heading(page, label)
    for line in (before, *_above(page, row, words)):
        found = list(_HEADING.finditer(page.text(line))) if line else []
        if found:
            return Party.BUYER if found[-1]["buyer"] else Party.SELLER
    return None


def is_greeted(page: PageFacts, words: Sequence[int]) -> bool:
    """Whether a line of a name is a greeting: "Hi Akme Ltd,", "Sehr geehrte Frau Weber", or "Rosa Whitcombe," above
    "Thank you for your order"; or its cell ends like an address on a letter: "アクメ株式会社 御中"."""
    if any(_BEHIND_BUYER.search(page.text(cell)) for cell in {page.cell_of(word) for word in words}):
        return True
    rows = {page.row_of(word) for word in words}
    return any(_GREETING.match(page.text(page.lines[row])) or _is_thanked(page, row) for row in rows)


def _is_thanked(page: PageFacts, row: int) -> bool:
    below = page.lines[row + 1 : row + 2]
    return page.text(page.lines[row]).endswith(",") and any(_THANKS.match(page.text(line)) for line in below)


def without_heading(text: str) -> str:
    """A name without the heading that it begins with ("Bill to Akme Ltd", "Client: Akme Ltd"). A name may begin with
    such a word itself ("Client Services Ltd"); a heading alone stays as it is."""
    heading = _HEADING.match(text)
    if heading is None or not (" " in heading[0] or text[heading.end() :].lstrip()[:1] == ":"):
        return text
    return text[heading.end() :].lstrip(" :.") or text


def without_honour(text: str) -> str:
    """A buyer's name without what a letter puts behind it; that alone stays as it is."""
    return _BEHIND_BUYER.sub("", text) or text


def names_person(page: PageFacts, words: Sequence[int]) -> bool:
    """Whether a caption before, right above or in a name makes it a person's."""
    row = page.row_of(words[0])
    near = (words, _before(page, row, words)[-3:], *_above(page, row, words)[:1])
    return any(_PERSON.search(page.text(each)) for each in near)


@lru_cache(maxsize=20_000)
def heading_alone(text: str) -> Party | None:
    """The party that a cell is the heading of, if it says little else: "Seller", "Informations sur le vendeur:"."""
    found = _HEADING.search(text)
    if found is None or len(text.replace(" / ", "/").split()) > LONGEST_HEADING or any(map(str.isdigit, text)):
        return None
    return Party.BUYER if found["buyer"] else Party.SELLER


def vertical_heading(page: PageFacts, label: Words) -> Party | None:
    """The party that a heading whose signs stand below one another announces."""
    return heading_alone(page.text(label).replace(" ", ""))


@lru_cache(maxsize=20_000)
def heads_section(text: str) -> Party | None:
    """The party whose section a cell begins: it ends in a heading ("Abweichender Warenempfänger:", "Informations sur le
    vendeur"; but "Cod. fornitore" is a number's) or begins with one that a name may follow ("Seller Akme Ltd")."""
    found = [each for each in _WHOLE_HEADING.finditer(text) if not _CODE.search(text[: each.start()])]
    heads = any(not text[each.end() :].strip(" :") or not text[: each.start()] for each in found)
    return heading_alone(text) if heads else None


@lru_cache(maxsize=20_000)
def heads_seller(text: str) -> bool:
    """Whether the last heading of a text is the seller's, or that of the one who is to be paid."""
    found = list(_HEADING.finditer(text))
    return bool(found) and found[-1]["seller"] is not None


def is_payee(text: str) -> bool:
    """Whether a heading names who is to be paid, and not who sells."""
    return _PAYEE.search(text) is not None


def heading_length(words: Sequence[str]) -> int:
    """How many words at the beginning of a cell are a party's heading: one in "Seller Akme Ltd"."""
    return _length_of_heading(" ".join(words))


@lru_cache(maxsize=20_000)
def _length_of_heading(text: str) -> int:
    found = _PARTY_NAME.match(text)
    return found[0].count(" ") + (found.end() == len(text)) if found else 0


def _before(page: PageFacts, row: int, words: Sequence[int]) -> list[int]:
    """The words of the same line, up to the name."""
    line = page.as_read(page.lines[row])
    return list(line[: min(line.index(word) for word in words if word in line)])


def _above(page: PageFacts, row: int, words: Sequence[int]) -> list[list[int]]:
    """The lines above the name, nearest first: of each the part above the name, or all of a line that is alone and does
    not head both parties."""
    box = page.box(words)
    return [
        list(line)
        if len(line) <= ALONE and not _heads_both(page, line)
        else [word for word in line if _is_over(page.page.words[word].box, box)]
        for line in map(page.as_read, reversed(page.lines[max(0, row - LINES_ABOVE) : row]))
    ]


def _heads_both(page: PageFacts, line: Sequence[int]) -> bool:
    return len({heading_alone(page.text(cell)) for cell in page.cells_of(line)} - {None}) > 1


def _is_over(upper: Box, lower: Box) -> bool:
    return upper.x0 < lower.x1 and upper.x1 > lower.x0 - ASIDE
