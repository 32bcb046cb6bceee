"""Names that are another party's than the issuer's, told by what they are, and by the other names of the document."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Place, spans
from serve_app.extraction.candidates.features import Objection
from serve_app.extraction.captions.lexicon import tokens
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import PageFacts, Words
from serve_app.extraction.facts.names import REGISTERED
from serve_app.extraction.facts.sections import sections
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.notation.plain import plain
from serve_app.extraction.parties.given_names import looks_like_person
from serve_app.extraction.parties.headings import Party, party_of
from serve_app.extraction.parties.legal_forms import has_legal_form
from serve_app.extraction.parties.names import normal_name
from serve_app.extraction.parties.statements import is_self_billed, stated_names

Names = Mapping[Place, str]

# An agent writes an invoice for hardly more sellers.
_MOST_SELLERS = 20
# From this probability on, the models see a name of the buyer's.
_ADDRESSED = 0.3
# No more names are looked for in addresses.
_MOST_PLACES = 40
# The general partner of a German limited partnership, and what the partnership itself ends in.
_PARTNER = WordPattern(r"{countries.general_partners}.*\bgmbh\b")
_LIMITED_PARTNERSHIP = re.compile(r"& ?co\b.*\bkg", re.IGNORECASE)
_ANY_TITLE = r"{parties.titles|parties.short_titles}\.?"
# How a letter addresses a person, which nobody who bills is called by himself.
_ADDRESSED_AS = WordPattern(r"{parties.titles}\.?\s")
# How it addresses two who live together: "Mme ou M.", "Herr und Frau"; "M & M" trades.
_HOUSEHOLD = WordPattern(
    rf"(?P<one>{_ANY_TITLE}) ?(?:{{connectives.both|connectives.either}}|[&/]) ?"
    rf"(?!(?P=one)(?!\w)){_ANY_TITLE} (?=\S)"
)
# "(306295-X)"
_COMPANY_NUMBER = re.compile(r"\(\d{4,}[\d -]*[A-Z]?\)")


def of_other_parties(pages: Sequence[PageEvidence], found: Names) -> dict[Objection, list[Place]]:
    """The places of the names of customers, contacts, general partners, agents and the places where shops are."""
    partnerships = _partnerships(found.values())
    titles = [match for match in map(_HOUSEHOLD.match, found.values()) if match]
    household = {word for match in titles for word in _words(match.string[match.end() :])}
    is_company_named = _is_company_named(pages)
    supplied = _of_supplier(pages, found)
    return {
        Objection.GENERAL_PARTNER: [place for place, name in found.items() if _is_partner(name, partnerships)],
        Objection.HOUSEHOLD: [place for place, name in found.items() if _is_of_household(household, name)],
        # Whose the account is, or who to ask.
        Objection.CONTACT: [place for place, name in found.items() if is_company_named and _is_person(name)],
        Objection.PLACE: list(_places_of_shops(pages, found)),
        Objection.AGENT: [place for place in found if supplied and place not in supplied],
    }


def addressees(pages: Sequence[PageEvidence]) -> Iterator[Place]:
    """The names that the models take for the buyer's, on an invoice that the buyer wrote: it is sent to the seller."""
    if _is_self_billed(pages):
        yield from (place for place, _ in spans(pages, Label.BUYER, floor=_ADDRESSED))


def is_addressed(name: str) -> bool:
    """Whether a name is that of a person, with the title that a letter gives."""
    return _ADDRESSED_AS.match(name) is not None and _is_person(name)


def _is_person(name: str) -> bool:
    return looks_like_person(name) and not has_legal_form(name)


def _partnerships(names: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """The limited partnerships among names, by their first words."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in names:
        if _LIMITED_PARTNERSHIP.search(name):
            found[tokens(name)[0]].add(name)
    return {first: frozenset(others) for first, others in found.items()}


def _is_partner(name: str, partnerships: Mapping[str, frozenset[str]]) -> bool:
    """Whether a name is that of the general partner of another: "Akme Verwaltungs GmbH" beside "Akme GmbH & Co. KG"."""
    return _PARTNER.search(name) is not None and bool(partnerships.get(tokens(name)[0], frozenset()) - {name})


def _is_of_household(members: set[str], name: str) -> bool:
    """Whether a name is that of a couple that a letter addresses ("MME OU MR MARTIN PAUL"), or of either of them."""
    if members.isdisjoint(_words(name)) or has_legal_form(name):
        return False
    return _HOUSEHOLD.match(name) is not None or looks_like_person(name) or members.issuperset(_words(name))


def _words(name: str) -> list[str]:
    return plain(name).split()


def _is_company_named(pages: Sequence[PageEvidence]) -> bool:
    """Whether a section of the seller shows a company's name."""
    return any(
        section.party is Party.SELLER and has_legal_form(page.text(section.name))
        for before, page in zip([None, *pages], pages, strict=False)
        for section in sections(page.facts, before.facts if before else None)
        if section.name
    )


def _places_of_shops(pages: Sequence[PageEvidence], found: Names) -> Iterator[Place]:
    """On a page that a registered company prints, the names that an address repeats between commas: the mall or the
    town that the shop is in. What a company's name begins with may stand in its address, too."""
    companies = {_words(name)[0] for name in found.values() if has_legal_form(name)}
    if any(_is_registered(pages[place.page], place, name) for place, name in found.items()):
        for place, name in islice(found.items(), _MOST_PLACES):
            if _words(name)[0] not in companies and _is_in_address(pages[place.page], place, name):
                yield place


def _is_registered(page: PageEvidence, place: Place, name: str) -> bool:
    """Whether a company's name stands before the number by which it is registered: "Akme Sdn Bhd (306295-X)"."""
    cell = page.cell_of(place.words[0])
    text = page.text(cell[cell.index(place.words[0]) :])
    is_numbered = _COMPANY_NUMBER.search(text) is not None or REGISTERED.search(text) is not None
    return is_numbered and has_legal_form(name)


def _is_in_address(page: PageEvidence, place: Place, name: str) -> bool:
    """Whether another cell of a page, in which a number stands, has a name between two commas, or behind the last."""
    between = re.compile(rf"\S, ?{re.escape(plain(name))} ?(?:,|$)")
    others = (plain(page.text(cell)) for cell in page.cells if not set(cell) & set(place.words))
    return any(any(map(str.isdigit, text)) and between.search(text) for text in others)


def _of_supplier(pages: Sequence[PageEvidence], found: Names) -> set[Place]:
    """On an invoice that somebody else wrote for the seller, the seller's names, if there are any: an agent says in a
    sentence for whom; a buyer has them below a heading, or where the models see whom the invoice is sent to."""
    texts = [[page.page.words[word].text for word in line] for page in pages for line in page.lines]
    stated = (normal_name(" ".join(text[at:end])) for text in texts for at, end in stated_names(text, by_agent=True))
    sellers = tuple(islice(dict.fromkeys(filter(None, stated)), _MOST_SELLERS))
    named = {place for place, name in found.items() if normal_name(name).startswith(sellers)}
    return named or _headed_seller(pages, found) or set(addressees(pages)).intersection(found)


def _headed_seller(pages: Sequence[PageEvidence], found: Names) -> set[Place]:
    """On an invoice that the buyer wrote, the names below a heading of the seller, without what such a heading is a
    part of: "Lieferanten-Nr."."""
    if not _is_self_billed(pages):
        return set()
    return {
        place
        for place, name in found.items()
        for page in [pages[place.page].facts]
        if party_of(page, place.words) is Party.SELLER and not _heads_code(page, place.words)
        if not is_self_billed(name)
    }


def _is_self_billed(pages: Sequence[PageEvidence]) -> bool:
    return any(is_self_billed(page.text(line)) for page in pages for line in page.lines)


def _heads_code(page: PageFacts, words: Words) -> bool:
    """Whether a number stands beside a name: it is that number's caption."""
    line = page.line_of(words[-1])
    rest = page.text(line[line.index(words[-1]) + 1 :])
    return any(map(str.isdigit, rest)) and not has_legal_form(page.text(words))
