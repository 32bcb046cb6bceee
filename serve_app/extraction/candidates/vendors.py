"""Names that may be the issuer's, and what speaks for and against each."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from serve_app.domain.document import Box
from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate, Place, Places
from serve_app.extraction.candidates.features import (
    EDGE,
    Features,
    Objection,
    has_buyer_heading,
    of_models,
    relative_log_odds,
)
from serve_app.extraction.candidates.names import possible_names
from serve_app.extraction.candidates.objections import object_to, objections
from serve_app.extraction.candidates.vendor_neighbours import PageNeighbours, share_of_small_words
from serve_app.extraction.captions.lexicon import tokens
from serve_app.extraction.evidence import LABELS, PageEvidence
from serve_app.extraction.facts import PageFacts
from serve_app.extraction.facts.names import NEAR, REGISTERED, bare, last_line
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.parties.given_names import looks_like_person
from serve_app.extraction.parties.headings import Party, names_person, party_of
from serve_app.extraction.parties.legal_forms import has_legal_form
from serve_app.extraction.parties.names import normal_name, printed_name
from serve_app.extraction.parties.trades import is_only_trade

# The lines of a letterhead or an address, and how far (of the page's width) they may be to the side.
BLOCK = 6
ASIDE = 0.1
# No more domains are compared with names.
_MOST_DOMAINS = 60
_CONTACT = WordPattern(rf"@|\bwww\.|{{addresses.phone|addresses.fax}}|\+\d\d|{REGISTERED.template}")
_ADDRESS = WordPattern(r"\b\d{4,6}\b|\b\d{2}-\d{3}\b|{addresses.behind_name|addresses.before_name|addresses.other}")
_DOMAIN = re.compile(r"(?:@|www\.)?([a-z0-9][a-z0-9-]{2,})\.[a-z]{2,}", re.IGNORECASE)
_SHARED_DOMAINS = frozenset({"gmail", "hotmail", "yahoo", "outlook", "gmx", "web", "icloud", "www", "mail", "email"})


@dataclass(frozen=True, slots=True)
class _Paper:
    """What the whole document says about names: which ones its headings say are the seller's, the domains, which names
    the sections of sellers show, where each is by its words, and whether a name has a legal form that no heading makes
    the buyer's."""

    headed: frozenset[str]
    domains: frozenset[str]
    neighbours: Sequence[PageNeighbours]
    by_words: Mapping[Sequence[str], Sequence[Place]]
    sellers: frozenset[str]
    has_company: bool


def vendor_candidates(pages: Sequence[PageEvidence]) -> list[Candidate[str]]:
    """Every name that the models, a legal form or its place on the page offer, each place once, with what speaks for
    and against it."""
    found = possible_names(pages)
    against = objections(pages, found)
    paper = _paper(pages, {place: name for place, name in found.items() if not against[place]})
    candidates = [
        Candidate(name, 0.0, place, _features(pages[place.page], place, name, paper) | against[place])
        for place, name in found.items()
    ]
    object_to({candidate.place: candidate.features for candidate in candidates}, Objection.BUYER, _buyers(candidates))
    return candidates


def _buyers(candidates: Sequence[Candidate[str]]) -> Iterator[Place]:
    """The places of names that are the buyer's wherever they are printed, and of parts of these: where a form has no
    seller's name, the buyer's would be the best."""
    others = {normal_name(candidate.value) for candidate in candidates if not _is_buyers(candidate.features)}
    places = Places(candidate.place for candidate in candidates if normal_name(candidate.value) not in others)
    for candidate in candidates:
        if normal_name(candidate.value) not in others or places.have_whole_of(candidate.place):
            yield candidate.place


def _is_buyers(features: Features) -> bool:
    """Whether the models take a name rather for the buyer's, and a heading or its section agrees."""
    return has_buyer_heading(features) and features["model:buyer"] > features["model:seller"]


def _paper(pages: Sequence[PageEvidence], found: Mapping[Place, str]) -> _Paper:
    facts = [page.facts for page in pages]
    neighbours = [PageNeighbours(page, before) for before, page in zip([None, *facts], facts, strict=False)]
    parties = {place: party_of(facts[place.page], place.words) for place in found}
    names = {place: normal_name(name) for place, name in found.items()}
    by_words: dict[Sequence[str], list[Place]] = defaultdict(list)
    for place, name in names.items():
        by_words[tuple(name.split())].append(place)
    return _Paper(
        frozenset(names[place] for place, party in parties.items() if party is Party.SELLER),
        _domains(facts),
        neighbours,
        by_words,
        frozenset(name for page, near in zip(facts, neighbours, strict=True) for name in _names_of_sellers(page, near)),
        any(has_legal_form(name) and parties[place] is not Party.BUYER for place, name in found.items()),
    )


def _is_registered(page: PageEvidence, place: Place) -> bool:
    """Whether a registration stands beside a name, or on the two lines under it."""
    line = page.line_of(place.words[-1])
    beside = line[line.index(place.words[-1]) :]
    return REGISTERED.search(page.text([*beside, *_block_below(page, place, NEAR)])) is not None


def _domains(pages: Sequence[PageFacts]) -> frozenset[str]:
    """The names of the domains that the pages print, without those that anybody may use."""
    texts = (word.text for page in pages for word in page.page.words if "." in word.text)
    printed = dict.fromkeys(match[1].lower() for text in texts for match in _DOMAIN.finditer(text))
    domains = islice((each for each in printed if each not in _SHARED_DOMAINS), _MOST_DOMAINS)
    return frozenset(re.sub("[^a-z0-9]", "", domain) for domain in domains)


def _names_of_sellers(page: PageFacts, near: PageNeighbours) -> Iterator[str]:
    """The names that the sections of sellers show, also without what is attached to them."""
    for section in near.sections:
        if section.party is Party.SELLER and section.name:
            yield from (normal_name(printed_name(page.text(name))) for name in (section.name, bare(page, section.name)))


def _features(page: PageEvidence, place: Place, name: str, paper: _Paper) -> Features:
    words = place.words
    chances = [page.probability(word, Label.SELLER) for word in words]
    line = page.line_of(words[0])
    count = len(name.split())
    party = party_of(page.facts, words)
    below = _block_below(page, place)
    is_company = has_legal_form(name)
    is_person = not is_company and looks_like_person(name)
    return {
        **of_models(page, words, (Label.SELLER, Label.BUYER)),
        "model:weakest word": relative_log_odds(min(chances)),
        "model:begins": _share_of_begins(page, words[0]),
        "model:left out": max((page.probability(w, Label.SELLER) for w in _beside(page, line, words)), default=0.0),
        "model:left above": _chance(page, _next_to(page, words[0], -1)),
        "model:left below": _chance(page, _next_to(page, words[-1], 1)),
        "model:continues": _strongest(page, [*_before(page, words), *_next_to(page, words[0], -1)])
        * (1 - _share_of_begins(page, words[0])),
        "model:goes on": max(
            (
                page.probability(word, Label.SELLER) * (1 - _share_of_begins(page, word))
                for word in (*_after(page, words), *_next_to(page, words[-1], 1)[:1])
            ),
            default=0.0,
        ),
        "person": float(not is_company and names_person(page.facts, words)),
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
        "contact near": float(_CONTACT.search(page.text(below)) is not None),
        "over address": float(_ADDRESS.search(page.text(below)) is not None),
        "registered beside": float(_is_registered(page, place)),
        "registered near": float(REGISTERED.search(page.text([*line, *below])) is not None),
        "alone": float(set(line) <= set(words)),
        "two lines": float(not set(words) <= set(line)),
        "ends in a company": float(_ends_in_company(page, place)),
        "capitals": float(name.isupper()),
        "small letters": float(name[:1].islower()),
    }


def _ends_in_company(page: PageEvidence, place: Place) -> bool:
    """Whether the last of a name's lines is a company's name by itself: "Akme Ltd" of "Beispiel" over "Akme Ltd"."""
    upper, lower = last_line(page.facts, place.words)
    return bool(upper) and has_legal_form(lower) and not is_only_trade(lower)


def _among_others(place: Place, name: str, paper: _Paper) -> Features:
    """What the other names of the document say about one: whether a heading makes another one the seller's, and
    whether it goes on where a shorter one ends that is printed elsewhere."""
    return {
        "another is headed": float(bool(paper.headed) and name not in paper.headed),
        "another names section": float(bool(paper.sellers) and name not in paper.sellers),
        "extends a shorter one": float(_extends_another(tuple(name.split()), place, paper.by_words)),
    }


def _extends_another(words: Sequence[str], place: Place, names: Mapping[Sequence[str], Sequence[Place]]) -> bool:
    """Whether a shorter name, at none of the words of a place, is the beginning of a name."""
    shorter = (other for end in range(1, len(words)) for other in names.get(words[:end], ()))
    return any(other.page != place.page or set(place.words).isdisjoint(other.words) for other in shorter)


def _block_below(page: PageEvidence, place: Place, lines: int = BLOCK) -> list[int]:
    """The words in the lines under a name: issuers print their address, telephone and tax number there."""
    row = page.row_of(place.words[-1])
    box = page.box(place.words)
    below = page.lines[row + 1 : row + 1 + lines]
    return [word for line in below for word in line if _under(page.page.words[word].box, box)]


def _next_to(page: PageEvidence, word: int, step: int) -> list[int]:
    """The words above (`step` -1) or below (1) the cell of a word, on the next line."""
    row = page.row_of(word) + step
    if not 0 <= row < len(page.lines):
        return []
    cell = page.box(page.cell_of(word))
    return [near for near in page.lines[row] if page.page.words[near].box.shares_column(cell)]


def _chance(page: PageEvidence, words: Sequence[int]) -> float:
    """How sure the models are that words are the issuer's name, 0 if there are no words."""
    return relative_log_odds(_strongest(page, words))


def _strongest(page: PageEvidence, words: Sequence[int]) -> float:
    """The highest probability that a word is the issuer's name."""
    return max((page.probability(word, Label.SELLER) for word in words), default=0.0)


def _before(page: PageEvidence, words: Sequence[int]) -> Sequence[int]:
    """The word of the same cell right before a name."""
    cell = page.cell_of(words[0])
    return cell[: cell.index(words[0])][-1:]


def _after(page: PageEvidence, words: Sequence[int]) -> Sequence[int]:
    """The word of the same cell right after a name."""
    cell = page.cell_of(words[-1])
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
