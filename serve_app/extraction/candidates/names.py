"""Which of the names on a page may be the issuer's at all."""

from collections.abc import Iterator, Sequence

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.candidates.other_parties import Names, addressees
from serve_app.extraction.candidates.vendor_places import vendor_places
from serve_app.extraction.candidates.whole_names import whole_names
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.parties.headings import Party, party_of
from serve_app.extraction.parties.legal_forms import has_legal_form
from serve_app.extraction.parties.names import printed_name

# A place with a lower probability of an issuer is considered only for its legal form or its heading.
TRACE = 0.02
LONGEST = 12


def possible_names(pages: Sequence[PageEvidence]) -> Names:
    """The names that the models, a legal form or their place on the page offer, each place once."""
    found: dict[Place, str] = {}
    sent_to = set(addressees(pages))
    for place in (*_places(pages), *sent_to):
        name = printed_name(pages[place.page].text(place.words))
        is_seen = place in sent_to or _is_seen(pages[place.page], place, name)
        if place not in found and is_seen and _is_name(pages[place.page], place, name):
            found[place] = name
    return found


def _places(pages: Sequence[PageEvidence]) -> Iterator[Place]:
    for number, page in enumerate(pages):
        yield from (Place(number, words) for words in whole_names(page))
    yield from vendor_places(pages)


def _is_name(page: PageEvidence, place: Place, name: str) -> bool:
    """Whether a text has letters and no placeholder, and not too many words."""
    return len(place.words) <= LONGEST and sum(map(str.isalpha, name)) > 1 and page.is_printed(place.words)


def _is_seen(page: PageEvidence, place: Place, name: str) -> bool:
    """Whether a model sees at least a trace of a name, or a legal form or a heading makes it one."""
    is_seen = max(page.probability(word, Label.SELLER) for word in place.words) > TRACE
    return is_seen or has_legal_form(name) or party_of(page.facts, place.words) is Party.SELLER
