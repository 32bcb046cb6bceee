"""Names that are another party's than the issuer's, told by what they are, and by the other names of the document."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from serve_app.domain.labels import Label
from serve_app.extraction.candidates import Place
from serve_app.extraction.captions.lexicon import tokens
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts.names import REGISTERED
from serve_app.extraction.facts.sections import sections
from serve_app.extraction.parties.given_names import looks_like_person
from serve_app.extraction.parties.headings import Party
from serve_app.extraction.parties.legal_forms import has_legal_form
from serve_app.extraction.plain import plain

Names = Mapping[Place, str]

# From this probability on, the models take a name for the issuer's.
_LIKELY = 0.5
# No more names are looked for in addresses.
_MOST_PLACES = 40
# The general partner of a German limited partnership, and what the partnership itself ends in.
_PARTNER = re.compile(
    r"(?:verwaltung|beteiligung|gesch[äa]ftsf[üu]hrung|komplement[äa]r|management|holding).*\bgmbh\b", re.IGNORECASE
)
_LIMITED_PARTNERSHIP = re.compile(r"& ?co\b.*\bkg", re.IGNORECASE)
_TITLE = r"(?:mr|mrs|ms|miss|mme|mlle|herrn?|frau|dhr|mevr|mw|sig|sig\.?ra)\.?"
_ANY_TITLE = rf"(?:{_TITLE}|(?:m|sra?)\.?)"
# How a letter addresses a person, which nobody who bills is called by himself.
_ADDRESSED_AS = re.compile(rf"{_TITLE}\s", re.IGNORECASE)
# How it addresses two who live together: "Mme ou M.", "Herr und Frau"; "M & M" trades.
_HOUSEHOLD = re.compile(
    rf"(?P<one>{_ANY_TITLE}) ?(?:et|ou|and|or|&|und|oder|y|e|en|/) ?(?!(?P=one)(?!\w)){_ANY_TITLE} (?=\S)",
    re.IGNORECASE,
)
# "(306295-X)"
_COMPANY_NUMBER = re.compile(r"\(\d{4,}[\d -]*[A-Z]?\)")


def without_other_parties(pages: Sequence[PageEvidence], found: Names) -> Names:
    """The names without those of customers, contacts, general partners and the places where shops are."""
    partnerships = _partnerships(found.values())
    found = {place: name for place, name in found.items() if not _is_partner(name, partnerships)}
    found = _without_households(found)
    if _is_company_named(pages):
        # Whose the account is, or who to ask.
        found = {place: name for place, name in found.items() if has_legal_form(name) or not looks_like_person(name)}
    found = {place: name for place, name in found.items() if not _is_addressed(name)} or found
    return _without_places(pages, found)


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


def _without_households(found: Names) -> Names:
    """The names without those of a couple that a letter addresses ("MME OU MR MARTIN PAUL"), and of either of them."""
    titles = [match for match in map(_HOUSEHOLD.match, found.values()) if match]
    members = {word for match in titles for word in _words(match.string[match.end() :])}
    return {
        place: name
        for place, name in found.items()
        if members.isdisjoint(_words(name)) or has_legal_form(name) or not _is_of(members, name)
    }


def _is_of(household: set[str], name: str) -> bool:
    return _HOUSEHOLD.match(name) is not None or looks_like_person(name) or household.issuperset(_words(name))


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


def _is_addressed(name: str) -> bool:
    """Whether a name is that of a person, with the title that a letter gives."""
    return _ADDRESSED_AS.match(name) is not None and looks_like_person(name) and not has_legal_form(name)


def _without_places(pages: Sequence[PageEvidence], found: Names) -> Names:
    """The names, or only those of companies that are registered on the page, if there are any and the models take for
    the issuer what an address repeats between commas: the mall or the town that the shop is in."""
    registered = {place: name for place, name in found.items() if _is_registered(pages[place.page], place, name)}
    companies = {_words(name)[0] for name in found.values() if has_legal_form(name)}
    likely = (
        (place, name)
        for place, name in found.items()
        # What a company's name begins with may stand in its address, too.
        if pages[place.page].mean(place.words, Label.SELLER) >= _LIKELY and _words(name)[0] not in companies
    )
    is_place = registered and any(
        _is_in_address(pages[place.page], place, name) for place, name in islice(likely, _MOST_PLACES)
    )
    return registered if is_place else found


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
