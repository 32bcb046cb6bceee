"""The issuer's website, e-mail, telephone, VAT identifier and bank account.

A page names both parties. What is in the buyer's block, or after "your ...", is the buyer's; of the rest, what shares a
word with the issuer's name comes first, then what is nearest to a place where the name is printed.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from serve_app.domain.document import Box
from serve_app.domain.labels import Label
from serve_app.domain.vendor import VendorDetails
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.captions.lexicon import tokens
from serve_app.extraction.evidence import LABELS, PageEvidence
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.parties.headings import Party, party_of
from serve_app.extraction.parties.identifiers import find_ibans, find_vat_ids, is_iban, is_vat_id

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_WEBSITE = re.compile(
    r"(?<![\w@.-])(?:https?://)?((?:www\.)?[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*\.(?P<top>[a-z]{2,}))(?![\w@])",
    re.IGNORECASE,
)
# A host that does not begin with "www" ends in one of these; else "Mr.Smith" would be one.
_TOP = re.compile(
    r"com|net|org|info|biz|io|eu|shop|app|cloud|online|store|gmbh|"
    r"a[etu]|b[er]|c[ahoz]|d[ek]|es|f[ir]|gb|hu|i[ent]|jp|m[xy]|n[loz]|p[lt]|ro|s[egk]|tr|u[ks]|za"
)
_PHONE = WordPattern(
    r"(?:{addresses.phone}\.?\s?(?:{parties.code}|#)?[.:]*\s*|(?<![\w+])(?=\+\d\d))"
    r"((?:\+|\(|0)?[\d(][\d\s()/.–-]{5,18}\d)"
)
# "Your VAT number", "Ihre USt-IdNr.": what follows is the buyer's.
_YOURS = WordPattern("{parties.yours}")
_DIGITS = range(7, 16)
# A line of the buyer's block is at most this far (of the page's height) below the buyer's name.
BLOCK = 0.12
# Words that a model takes for the buyer's name with at least this probability.
SEEN = 0.4
_BUYER = LABELS.index(Label.BUYER)
# No more words of the buyer's, and places of the issuer's name, are looked at on a page.
_MOST = 200


@dataclass(frozen=True, slots=True)
class PartyDetail:
    """A detail of a party: its value, the words of the cell that prints it, and the text before it in the cell."""

    value: str
    place: Place
    box: Box
    before: str


# The start and the value of each detail of one kind in a text.
Find = Callable[[str], Iterator[tuple[int, str]]]


def vendor_details(pages: Sequence[PageEvidence], name: str, places: Sequence[Place]) -> VendorDetails:
    """What the pages say about the issuer called `name`, which is printed at `places`."""

    def best(find: Find) -> str | None:
        found = detail_of_issuer(pages, name, places, find)
        return found.value if found else None

    return VendorDetails(
        website=best(_websites), email=best(_emails), phone=best(_phones), vat_id=best(vat_ids), iban=best(ibans)
    )


def detail_of_issuer(
    pages: Sequence[PageEvidence], name: str, places: Sequence[Place], find: Find
) -> PartyDetail | None:
    """The likeliest detail of the issuer called `name`, which is printed at `places`."""
    found = [party_detail for party_detail in party_details(pages, find) if not is_buyers(pages, party_detail)]
    boxes: dict[int, list[Box]] = defaultdict(list)
    for place in places:
        if len(boxes[place.page]) < _MOST:
            boxes[place.page].append(pages[place.page].box(place.words))
    return min(found, key=lambda detail: _rank(detail, name, boxes), default=None)


def party_details(pages: Sequence[PageEvidence], find: Find) -> Iterator[PartyDetail]:
    """Every detail of a kind, whosever it is, in print order."""
    for number, page in enumerate(pages):
        for cell in page.cells:
            text = page.text(cell)
            for start, value in find(text):
                yield PartyDetail(value, Place(number, cell), page.box(cell), text[:start])


def _emails(text: str) -> Iterator[tuple[int, str]]:
    yield from ((match.start(), match[0].lower().rstrip(".")) for match in _EMAIL.finditer(text))


def _websites(text: str) -> Iterator[tuple[int, str]]:
    for match in _WEBSITE.finditer(text):
        host = match[1].lower()
        if host.startswith("www.") or _TOP.fullmatch(match["top"].lower()):
            yield match.start(), host


def _phones(text: str) -> Iterator[tuple[int, str]]:
    for match in _PHONE.finditer(text):
        if sum(map(str.isdigit, match[1])) in _DIGITS:
            yield match.start(), match[1].strip()


def vat_ids(text: str) -> Iterator[tuple[int, str]]:
    """VAT identifiers with valid check digits."""
    yield from ((_start(text, vat_id), vat_id) for vat_id in find_vat_ids([text]) if is_vat_id(vat_id))


def ibans(text: str) -> Iterator[tuple[int, str]]:
    """Bank accounts with valid check digits."""
    yield from ((_start(text, iban), iban) for iban in find_ibans([text]) if is_iban(iban))


def _start(text: str, compact: str) -> int:
    """Where an identifier that is printed with gaps begins."""
    return max(text.upper().find(compact[:4]), 0)


def is_buyers(pages: Sequence[PageEvidence], one: PartyDetail) -> bool:
    """Whether a detail is in the buyer's block, or after words that address the buyer."""
    if _YOURS.search(one.before):
        return True
    page = pages[one.place.page]
    for index in np.flatnonzero(page.inside[:, _BUYER] > SEEN)[:_MOST].tolist():
        if _is_under(one.box, page.page.words[index].box):
            return party_of(page.facts, (index,)) is not Party.SELLER
    return False


def _is_under(lower: Box, upper: Box) -> bool:
    return 0 <= lower.y_center - upper.y_center < BLOCK and lower.shares_column(upper)


def _rank(one: PartyDetail, name: str, printed: Mapping[int, Sequence[Box]]) -> tuple[bool, int, float]:
    """What shares a word with the name comes first; then by page, then by distance to the printed name, whose boxes
    `printed` has by page."""
    words = [word for word in tokens(name) if len(word) > 3]
    shares = any(word in "".join(tokens(one.value)) for word in words)
    near = [_distance(box, one.box) for box in printed.get(one.place.page, ())]
    return not shares, one.place.page, min(near, default=1.0)


def _distance(name: Box, detail: Box) -> float:
    return abs(name.y_center - detail.y_center) + abs(name.x_center - detail.x_center) / 2
