"""Names that may be the issuer's."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from serve_app.domain.document import Box
from serve_app.domain.labels import Label
from serve_app.extraction.candidates import Place
from serve_app.extraction.captions.find import are_captions
from serve_app.extraction.captions.lexicon import tokens
from serve_app.extraction.dates.dates import find_dates
from serve_app.extraction.evidence import LABELS, PageEvidence
from serve_app.extraction.parties.given_names import looks_like_person
from serve_app.extraction.parties.headings import Party, is_greeted, names_person, party_of
from serve_app.extraction.parties.legal_forms import begins_with_legal_form, has_legal_form, is_only_legal_form
from serve_app.extraction.parties.names import normal_name, printed_name
from serve_app.extraction.ranking.options import EDGE, Features, Option, of_models, sureness
from serve_app.extraction.ranking.vendor_neighbours import PageNeighbours, extends, share_of_small_words
from serve_app.extraction.ranking.vendor_places import (
    REGISTERED,
    SAME_EDGE,
    bare,
    usual_height,
    vendor_places,
)
from serve_app.extraction.ranking.whole_names import whole_names
from serve_app.extraction.split.titles import names_invoice, names_other_document
from serve_app.extraction.tables.cells import cells_of

# A place with a lower probability of an issuer is considered only for its legal form or its heading.
TRACE = 0.02
LONGEST = 12
# Names with fewer letters are more likely a code.
SHORT = 4
# The lines of a letterhead or an address, and how far (of the page's width) they may be to the side.
BLOCK = 6
ASIDE = 0.1
_CONTACT = re.compile(rf"@|\bwww\.|\b(?:tel|fon|phone|mobil|fax|t[ée]l)\b|\+\d\d|{REGISTERED.pattern}", re.IGNORECASE)
_ADDRESS = re.compile(
    r"\b\d{4,6}\b|\b\d{2}-\d{3}\b|(?:stra(?:ss|ß)e|str\.|weg|platz|gasse|laan|straat)\b|"
    r"\b(?:street|st|road|rd|avenue|ave|blvd|drive|lane|suite|floor|p\.?o\.? box|rue|place|via|viale|piazza|calle|avda|"
    r"plaza|rua|ulica|ul|cad|cd|sok|sk|mah|jalan|jln|jl|lorong|taman|lot|dataran)\b",
    re.IGNORECASE,
)
# No name ends like this.
_CUT = re.compile(r" (?:(?i:of|the|and|und|&|t/a|trading as)|et|di|del?|da|do|dos|by|f[üu]r|von|van|der|des|du)$")
# Authorities whose forms many issuers fill in.
_AUTHORITY = re.compile(
    r"\b(?:prefeitura (?:d[aeo]|municipal)|secretaria (?:municipal|d[ae] (?:fazenda|finan[çc]as))|receita federal|"
    r"agenzia delle entrate|krajowy system e-?faktur|gel[iİ]r [iİ]dares[iİ]|hazine ve maliye)\b",
    re.IGNORECASE,
)
# What stands in a mail for a picture that was not loaded.
_PICTURE = re.compile(
    r"(?:(?:your|our|the|company|brand|site|main|e-?mail|header|masthead|banner|logo) )*"
    r"(?:logo|image|picture|banner|masthead|icon|bild)",
    re.IGNORECASE,
)
# The general partner of a German limited partnership, and what the partnership itself ends in.
_PARTNER = re.compile(
    r"(?:verwaltung|beteiligung|gesch[äa]ftsf[üu]hrung|komplement[äa]r|management|holding).*\bgmbh\b", re.IGNORECASE
)
_LIMITED_PARTNERSHIP = re.compile(r"& ?co\b.*\bkg", re.IGNORECASE)
# One word with this many digits is a tax number or another code.
_CODE = re.compile(r"(?:[^\s\d]*\d){4}\S*")
# Links and buttons of e-mails point somewhere.
_ARROWS = frozenset("→⟶➔➜»›▶►❯")
_DOMAIN = re.compile(r"(?:@|www\.)?([a-z0-9][a-z0-9-]{2,})\.[a-z]{2,}", re.IGNORECASE)
_SHARED_DOMAINS = frozenset({"gmail", "hotmail", "yahoo", "outlook", "gmx", "web", "icloud", "www", "mail", "email"})


@dataclass(frozen=True, slots=True)
class _Paper:
    """What the whole document says about names: how often each is printed, which parties its headings say it is, the
    domains, which names the sections of sellers show, and whether a name has a legal form that no heading makes the
    buyer's."""

    printed: Counter[str]
    parties: frozenset[tuple[str, Party | None]]
    domains: frozenset[str]
    height: float
    neighbours: Sequence[PageNeighbours]
    names: Sequence[tuple[Place, tuple[str, ...]]]
    sellers: frozenset[str]
    has_company: bool

    @property
    def headed(self) -> frozenset[str]:
        """The names that a heading says are the seller's."""
        return frozenset(name for name, party in self.parties if party is Party.SELLER)


def vendor_options(pages: Sequence[PageEvidence]) -> list[Option[str]]:
    """Every name that the models, a legal form or its place on the page offer, each place once."""
    found: dict[Place, str] = {}
    whole = [Place(number, words) for number, page in enumerate(pages) for words in whole_names(page)]
    for place in (*whole, *vendor_places(pages)):
        name = printed_name(pages[place.page].text(place.words))
        if (
            len(place.words) <= LONGEST
            and _is_name(name)
            and pages[place.page].is_printed(place.words)
            and _is_possible(pages[place.page], place, name)
            and not _cuts_bracket(pages[place.page], place, name)
            and not _cuts_legal_form(pages[place.page], place)
            and not any(place.is_part_of(other) for other in whole)
        ):
            found.setdefault(place, name)
    found = {place: name for place, name in found.items() if not _is_partner(name, found.values())}
    paper = _paper(pages, found)
    return [Option(name, place, _features(pages[place.page], place, name, paper)) for place, name in found.items()]


def _is_name(text: str) -> bool:
    has_letters = sum(map(str.isalpha, text)) > 1
    is_link = "@" in text or not _ARROWS.isdisjoint(text)
    is_half = is_only_legal_form(text) or _CUT.search(text) is not None
    is_other = _PICTURE.fullmatch(text) or _CODE.fullmatch(text)
    return has_letters and not is_link and not is_half and not is_other


def _is_possible(page: PageEvidence, place: Place, name: str) -> bool:
    """Whether a model sees at least a trace of a name, or a legal form or a heading makes it one, and it names neither
    who is greeted nor the authority whose form the page is."""
    if is_greeted(page, place) or _AUTHORITY.search(page.text(_cell_of(page, place.words))):
        return False
    is_seen = max(page.probability(word, Label.SELLER) for word in place.words) > TRACE
    return is_seen or has_legal_form(name) or party_of(page, place) is Party.SELLER


def _is_partner(name: str, names: Iterable[str]) -> bool:
    """Whether a name is that of the general partner of another: "Akme Verwaltungs GmbH" beside "Akme GmbH & Co. KG"."""
    if not _PARTNER.search(name):
        return False
    first = tokens(name)[0]
    return any(_LIMITED_PARTNERSHIP.search(other) and tokens(other)[0] == first for other in names if other != name)


def _cuts_bracket(page: PageEvidence, place: Place, name: str) -> bool:
    """Whether a name begins inside a bracket of its cell: "(Semenyih) Sdn Bhd" without the first bracket."""
    if name.count(")") <= name.count("("):
        return False
    line = page.line_of(place.words[0])
    return "(" in page.text(line[: line.index(place.words[0]) + 1])


def _cuts_legal_form(page: PageEvidence, place: Place) -> bool:
    """Whether a name's legal form goes on behind its place, or on the next line: "Akme UG" of "Akme UG
    (haftungsbeschränkt)", "Akme Sp." over "k."."""
    cell = _cell_of(page, place.words)
    last = page.page.words[place.words[-1]]
    rest = page.text(cell[cell.index(place.words[-1]) + 1 :])
    if not rest:
        row = page.row_of(place.words[-1]) + 1
        below = [cell for line in page.lines[row : row + 1] for cell in cells_of(page, line)]
        starts = page.box(cell).x0
        return any(
            abs(page.box(lower).x0 - starts) < SAME_EDGE
            and not is_only_legal_form(last.text)
            and is_only_legal_form(f"{last.text} {page.text(lower)}")
            for lower in below
        )
    return begins_with_legal_form(rest) and not REGISTERED.match(rest)


def _paper(pages: Sequence[PageEvidence], found: Mapping[Place, str]) -> _Paper:
    words = [word.text for page in pages for word in page.page.words]
    domains = {match[1].lower() for text in words if "." in text for match in _DOMAIN.finditer(text)}
    neighbours = [PageNeighbours(page) for page in pages]
    return _Paper(
        Counter(normal_name(name) for name in found.values()),
        frozenset((normal_name(name), party_of(pages[place.page], place)) for place, name in found.items()),
        frozenset(re.sub("[^a-z0-9]", "", domain) for domain in domains - _SHARED_DOMAINS),
        usual_height(pages[0]),
        neighbours,
        [(place, tuple(normal_name(name).split())) for place, name in found.items()],
        frozenset(
            normal_name(printed_name(page.text(name)))
            for page, near in zip(pages, neighbours, strict=True)
            for section in near.sections
            if section.party is Party.SELLER and section.name
            for name in (section.name, bare(page, section.name))
        ),
        any(
            has_legal_form(name) and party_of(pages[place.page], place) is not Party.BUYER
            for place, name in found.items()
        ),
    )


def _features(page: PageEvidence, place: Place, name: str, paper: _Paper) -> Features:
    words = place.words
    chances = [page.probability(word, Label.SELLER) for word in words]
    line = page.line_of(words[0])
    count = len(name.split())
    letters = sum(map(str.isalpha, name))
    party = party_of(page, place)
    below = _block_below(page, place)
    is_company = has_legal_form(name)
    is_person = not is_company and looks_like_person(name)
    return {
        **of_models(page, words, (Label.SELLER, Label.BUYER)),
        "model:weakest word": sureness(min(chances)),
        "model:begins": _share_of_begins(page, words[0]),
        "model:left out": max((page.probability(w, Label.SELLER) for w in _beside(page, line, words)), default=0.0),
        "model:left above": _chance(page, _next_to(page, words[0], -1)),
        "model:left below": _chance(page, _next_to(page, words[-1], 1)),
        "model:continues": _strongest(page, [*_before(page, line, words), *_next_to(page, words[0], -1)])
        * (1 - _share_of_begins(page, words[0])),
        "model:goes on": max(
            (
                page.probability(word, Label.SELLER) * (1 - _share_of_begins(page, word))
                for word in (*_after(page, words), *_next_to(page, words[-1], 1)[:1])
            ),
            default=0.0,
        ),
        "person": float(not is_company and names_person(page, place)),
        "given name": float(is_person),
        "given name beside company": float(is_person and paper.has_company),
        **paper.neighbours[place.page].features(place, name),
        **_among_others(place, normal_name(name), paper),
        "small words": share_of_small_words(name),
        **({f"heading:{party.value}": 1.0} if party else {}),
        f"words:{'one' if count == 1 else 'few' if count < 6 else 'many'}": 1.0,
        "first line": float(place.page == 0 and page.row_of(words[0]) == 0),
        "legal form": float(is_company),
        "domain": _domain_share(name, paper),
        "is domain": float("".join(tokens(name)) in paper.domains),
        "repeated": min(paper.printed[normal_name(name)], 4) / 4,
        "large": min(max(page.page.words[words[0]].box.height / paper.height - 1, 0.0), 2.0) / 2,
        "buyer elsewhere": float((normal_name(name), Party.BUYER) in paper.parties),
        "seller elsewhere": float((normal_name(name), Party.SELLER) in paper.parties),
        "contact near": float(_CONTACT.search(page.text(below)) is not None),
        "over address": float(_ADDRESS.search(page.text(below)) is not None),
        "registered near": float(REGISTERED.search(page.text([*line, *below])) is not None),
        "address": float(_ADDRESS.search(name) is not None),
        "form beyond": float(not is_company and has_legal_form(page.text(_cell_of(page, words)))),
        "alone": float(set(line) <= set(words)),
        "short": float(letters < SHORT),
        "two lines": float(not set(words) <= set(line)),
        "capitals": float(name.isupper()),
        "small letters": float(name[:1].islower()),
        "digits": sum(map(str.isdigit, name)) / max(letters, 1),
        "date": float(bool(find_dates(name))),
        "title": float(names_invoice(name) or names_other_document(name)),
        "caption": float(are_captions([page.page.words[word] for word in words])),
        "colon": float(":" in name),
        "comma": float("," in name),
    }


def _among_others(place: Place, name: str, paper: _Paper) -> Features:
    """What the other names of the document say about one: whether a heading makes another one the seller's, and
    whether it is the beginning of a longer one that is printed elsewhere, or goes on where such a one ends."""
    words, mine = tuple(name.split()), set(place.words)
    others = [
        other
        for where, other in paper.names
        if other != words and (where.page != place.page or mine.isdisjoint(where.words))
    ]
    return {
        "another is headed": float(bool(paper.headed) and name not in paper.headed),
        "another names section": float(bool(paper.sellers) and name not in paper.sellers),
        "begins a longer one": float(any(extends(other, words) for other in others)),
        "extends a shorter one": float(any(extends(words, other) for other in others)),
    }


def _block_below(page: PageEvidence, place: Place) -> list[int]:
    """The words in the lines under a name: issuers print their address, telephone and tax number there."""
    row = page.row_of(place.words[-1])
    box = page.box(place.words)
    below = page.lines[row + 1 : row + 1 + BLOCK]
    return [word for line in below for word in line if _under(page.page.words[word].box, box)]


def _cell_of(page: PageEvidence, words: Sequence[int]) -> tuple[int, ...]:
    """The cell that a name ends in."""
    return next(cell for cell in cells_of(page, page.line_of(words[-1])) if words[-1] in cell)


def _next_to(page: PageEvidence, word: int, step: int) -> list[int]:
    """The words above (`step` -1) or below (1) the cell of a word, on the next line."""
    row = page.row_of(word) + step
    if not 0 <= row < len(page.lines):
        return []
    cell = page.box(_cell_of(page, (word,)))
    boxes = ((near, page.page.words[near].box) for near in page.lines[row])
    return [near for near, box in boxes if box.x0 < cell.x1 and cell.x0 < box.x1]


def _chance(page: PageEvidence, words: Sequence[int]) -> float:
    """How sure the models are that words are the issuer's name, 0 if there are no words."""
    return sureness(_strongest(page, words))


def _strongest(page: PageEvidence, words: Sequence[int]) -> float:
    """The highest probability that a word is the issuer's name."""
    return max((page.probability(word, Label.SELLER) for word in words), default=0.0)


def _before(page: PageEvidence, line: Sequence[int], words: Sequence[int]) -> Sequence[int]:
    """The word of the same cell right before a name."""
    cell = next(cell for cell in cells_of(page, line) if words[0] in cell)
    return cell[: cell.index(words[0])][-1:]


def _after(page: PageEvidence, words: Sequence[int]) -> Sequence[int]:
    """The word of the same cell right after a name."""
    cell = _cell_of(page, words)
    return cell[cell.index(words[-1]) + 1 :][:1]


def _share_of_begins(page: PageEvidence, word: int) -> float:
    """How likely a name begins at a word that is part of one, according to the models."""
    column = LABELS.index(Label.SELLER)
    return float(page.begins[word, column]) / max(float(page.inside[word, column]), EDGE)


def _under(lower: Box, upper: Box) -> bool:
    return lower.x0 < upper.x1 + ASIDE and upper.x0 - ASIDE < lower.x1


def _beside(page: PageEvidence, line: Sequence[int], words: Sequence[int]) -> list[int]:
    """The words of the line right before and after a name."""
    places = [line.index(word) for word in words if word in line]
    return [line[at] for at in (min(places) - 1, max(places) + 1) if 0 <= at < len(line)]


def _domain_share(name: str, paper: _Paper) -> float:
    """The share of a domain's name that the name covers, 0 to 1."""
    parts = [part for part in tokens(name) if len(part) > 2]
    joined = "".join(tokens(name))
    covered = [sum(len(part) for part in parts if part in domain) / len(domain) for domain in paper.domains]
    whole = [1.0 for domain in paper.domains if len(domain) > 3 and domain in joined]
    return min(max([*covered, *whole], default=0.0), 1.0)
