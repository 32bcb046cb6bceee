"""Names that may be the issuer's."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from serve_app.domain.document import Box
from serve_app.domain.duplicates import vendor_words
from serve_app.domain.labels import Label
from serve_app.extraction.candidates import Place, spans
from serve_app.extraction.captions.find import find_captions
from serve_app.extraction.captions.lexicon import tokens
from serve_app.extraction.cells import cells, cells_of
from serve_app.extraction.dates import find_dates
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.headings import party_of
from serve_app.extraction.names import normal_name, printed_name
from serve_app.extraction.ranking.options import Features, Option, of_models, sureness
from serve_app.extraction.split.titles import names_invoice, names_other_document

# Words below this probability are no part of a name by the models' word.
SEEN = 0.15
# A place where no model sees even this much of an issuer is looked at only for its legal form.
TRACE = 0.02
# Cells on so many lines from the top of the first page are looked at, whatever the models say.
TOP_LINES = 4
# A cell whose letters are so much higher than the page's usual ones may be a wordmark.
LARGE = 1.5
LONGEST = 12
# The lines of a letterhead or an address, and how far (of the page's width) they may stand aside.
BLOCK = 6
ASIDE = 0.1
_CONTACT = re.compile(
    r"@|\bwww\.|\b(?:tel|fon|phone|mobil|fax|t[ée]l)\b|\+\d\d|"
    r"\b(?:vat|gst|ust|mwst|tva|iva|p\.? ?iva|btw|kvk|nip|di[čc]|i[čc]o?|nif|cif|siret|abn|kdv|vkn|gstin)\b|"
    r"\b(?:co|reg)\.? ?no\b",
    re.IGNORECASE,
)
_DOMAIN = re.compile(r"(?:@|www\.)?([a-z0-9][a-z0-9-]{2,})\.[a-z]{2,}", re.IGNORECASE)
_SHARED_DOMAINS = frozenset({"gmail", "hotmail", "yahoo", "outlook", "gmx", "web", "icloud", "www", "mail", "email"})


@dataclass(frozen=True, slots=True)
class _Paper:
    """What the whole document says about names: how often each is printed, and the domains it names."""

    printed: Counter[str]
    domains: frozenset[str]
    height: float


def vendor_options(pages: Sequence[PageEvidence]) -> list[Option[str]]:
    """Every name that the models, a legal form or its place on the page offer, each place once."""
    found: dict[Place, str] = {}
    for place in _places(pages):
        name = printed_name(pages[place.page].text(place.words))
        is_name = len(place.words) <= LONGEST and sum(map(str.isalpha, name)) > 1 and "@" not in name
        if is_name and pages[place.page].is_printed(place.words) and _is_possible(pages[place.page], place, name):
            found.setdefault(place, name)
    paper = _paper(pages, list(found.values()))
    return [Option(name, place, _features(pages[place.page], place, name, paper)) for place, name in found.items()]


def _is_possible(page: PageEvidence, place: Place, name: str) -> bool:
    """Whether a model sees at least a trace of a name, or a legal form makes it one."""
    return max(page.probability(word, Label.SELLER) for word in place.words) > TRACE or _has_legal_form(name)


def _places(pages: Sequence[PageEvidence]) -> Iterator[Place]:
    for place, _ in spans(pages, Label.SELLER, floor=SEEN):
        yield place
        yield from _wider(pages[place.page], place)
    for number, page in enumerate(pages):
        yield from (Place(number, cell) for cell in cells(page) if _has_legal_form(page.text(cell)))
    first = pages[0]
    usual = _usual_height(first)
    top = {cell for line in first.lines[:TOP_LINES] for cell in cells_of(first, line)}
    large = {cell for cell in cells(first) if first.box(cell).height > LARGE * usual}
    yield from (Place(0, _uncaptioned(first, cell)) for cell in sorted(top | large))


def _wider(page: PageEvidence, place: Place) -> Iterator[Place]:
    """The whole cell that a name stands in, and the name with its continuation on the next line."""
    row, line = page.row_of(place.words[0]), page.line_of(place.words[0])
    cell = _uncaptioned(page, next(cell for cell in cells_of(page, line) if place.words[0] in cell))
    yield Place(place.page, cell)
    if row + 1 < len(page.lines):
        box = page.box(cell)
        for below in cells_of(page, page.lines[row + 1]):
            under = page.box(below)
            if under.x0 < box.x1 and box.x0 < under.x1 and page.mean(below, Label.SELLER) > SEEN:
                yield Place(place.page, (*cell, *below))
                yield Place(place.page, (*place.words, *below))


def _uncaptioned(page: PageEvidence, cell: tuple[int, ...]) -> tuple[int, ...]:
    """A cell without a caption at its head ("From: Akme Ltd")."""
    heads = [at for at, word in enumerate(cell[:-1]) if page.page.words[word].text.endswith(":")]
    return cell[heads[-1] + 1 :] if heads else cell


def _has_legal_form(text: str) -> bool:
    plain = re.sub(r"[\W_]+", " ", re.sub(r"['\u2019`.]", "", text)).casefold().strip()
    return vendor_words(text) not in ("", plain)


def _usual_height(page: PageEvidence) -> float:
    return median([word.box.height for word in page.page.words] or [1.0])


def _paper(pages: Sequence[PageEvidence], names: Sequence[str]) -> _Paper:
    words = [word.text for page in pages for word in page.page.words]
    domains = {match[1].lower() for text in words if "." in text for match in _DOMAIN.finditer(text)}
    return _Paper(
        Counter(normal_name(name) for name in names),
        frozenset(re.sub("[^a-z0-9]", "", domain) for domain in domains - _SHARED_DOMAINS),
        _usual_height(pages[0]),
    )


def _features(page: PageEvidence, place: Place, name: str, paper: _Paper) -> Features:
    words = place.words
    chances = [page.probability(word, Label.SELLER) for word in words]
    line = page.line_of(words[0])
    count = len(name.split())
    letters = sum(map(str.isalpha, name))
    party = party_of(page, place)
    return {
        **of_models(page, words, (Label.SELLER, Label.BUYER)),
        "model:weakest word": sureness(min(chances)),
        "model:left out": max((page.probability(w, Label.SELLER) for w in _beside(page, line, words)), default=0.0),
        **({f"heading:{party.value}": 1.0} if party else {}),
        f"words:{'one' if count == 1 else 'few' if count < 6 else 'many'}": 1.0,
        "first line": float(place.page == 0 and page.row_of(words[0]) == 0),
        "legal form": float(_has_legal_form(name)),
        "domain": _domain_share(name, paper),
        "repeated": min(paper.printed[normal_name(name)], 4) / 4,
        "large": min(max(page.page.words[words[0]].box.height / paper.height - 1, 0.0), 2.0) / 2,
        "contact near": float(_has_contact_near(page, place)),
        "two lines": float(not set(words) <= set(line)),
        "capitals": float(name.isupper()),
        "small letters": float(name[:1].islower()),
        "digits": sum(map(str.isdigit, name)) / max(letters, 1),
        "date": float(bool(find_dates(name))),
        "title": float(names_invoice(name) or names_other_document(name)),
        "caption": float(_is_caption(page, words)),
        "colon": float(":" in name),
        "comma": float("," in name),
    }


def _has_contact_near(page: PageEvidence, place: Place) -> bool:
    """Whether a telephone, e-mail or tax number stands in the lines under a name: issuers print theirs."""
    row = page.row_of(place.words[-1])
    box = page.box(place.words)
    below = page.lines[row + 1 : row + 1 + BLOCK]
    words = [word for line in below for word in line if _under(page.page.words[word].box, box)]
    return _CONTACT.search(page.text(words)) is not None


def _under(lower: Box, upper: Box) -> bool:
    return lower.x0 < upper.x1 + ASIDE and upper.x0 - ASIDE < lower.x1


def _beside(page: PageEvidence, line: Sequence[int], words: Sequence[int]) -> list[int]:
    """The words of the line right before and after a name."""
    places = [line.index(word) for word in words if word in line]
    return [line[at] for at in (min(places) - 1, max(places) + 1) if 0 <= at < len(line)]


def _domain_share(name: str, paper: _Paper) -> float:
    """How much of a domain's name the name covers, 0 to 1."""
    parts = [part for part in tokens(name) if len(part) > 2]
    joined = "".join(tokens(name))
    covered = [sum(len(part) for part in parts if part in domain) / len(domain) for domain in paper.domains]
    whole = [1.0 for domain in paper.domains if len(domain) > 3 and domain in joined]
    return min(max([*covered, *whole], default=0.0), 1.0)


def _is_caption(page: PageEvidence, words: Sequence[int]) -> bool:
    """Whether half of the words and more are captions."""
    found = find_captions([page.page.words[word] for word in words])
    return 2 * sum(match.last - match.first + 1 for match in found) >= len(words)
