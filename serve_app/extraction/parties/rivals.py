"""Whether another name on an invoice may as well be its issuer's."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.parties.given_names import looks_like_person
from serve_app.extraction.parties.legal_forms import has_legal_form
from serve_app.extraction.parties.names import normal_name
from serve_app.extraction.parties.vendor_signs import is_registered_company

# From this probability on, another name may as well be the issuer's.
_AS_LIKELY = 0.5
# Lines of a cell begin within this (of the page's width).
_ALIGNED = 0.01
# Who runs a shop under the brand of a company that is not its own: "BRAVIA Tankstelle, Inh. Jan Petersen".
_OWNER = WordPattern("{names.owner}")


def has_rival(pages: Sequence[PageEvidence], candidates: Sequence[Candidate[str]], vendor: Candidate[str]) -> bool:
    """Whether another name is as likely the issuer's as the vendor's.

    One of two companies is not the issuer, nor is one of a company and a person. What else stands beside a company that
    is registered on the page is the brand under which it trades.
    """
    likely = competing_words(pages, vendor.place, (Label.SELLER,), least=_AS_LIKELY)
    others = {(page, word) for page, word, _ in likely}
    if not others:
        return False
    if not (
        is_registered_company(candidates, vendor.value) and _is_whole(pages[vendor.place.page], vendor.place.words)
    ):
        return True
    names = (candidate.value for candidate in candidates if not others.isdisjoint(_words(candidate.place)))
    return any(has_legal_form(name) or looks_like_person(name) for name in names) or any(
        _OWNER.fullmatch(_plain(pages[page].page.words[word].text)) for page, word in others
    )


def goes_on_below(page: PageEvidence, words: Sequence[int]) -> bool:
    """Whether a name in capitals may go on, on the next line of its cell, with words in capitals of which the first had
    no room beside it: "STUDIO AKME DOTTORI" over "COMMERCIALISTI ASSOCIATI"."""
    cell = page.cell_of(words[-1])
    right = page.cells_of(page.line_of(words[-1]))
    right = right[right.index(cell) + 1 :][:1]
    row = page.row_of(words[-1]) + 1
    text = page.text(words)
    if not right or words[-1] != cell[-1] or row == len(page.lines) or has_legal_form(text) or not text.isupper():
        return False
    box, edge = page.box(cell), page.box(right[0]).x0
    below = [lower for lower in page.cells_of(page.lines[row]) if abs(page.box(lower).x0 - box.x0) < _ALIGNED]
    if not below or not all(page.page.words[word].text.isalpha() for word in below[0]):
        return False
    is_capital = all(page.page.words[word].text.isupper() for word in below[0])
    return is_capital and box.x1 + page.page.words[below[0][0]].box.width > edge - _ALIGNED


def is_longer_elsewhere(candidates: Sequence[Candidate[str]], name: str) -> bool:
    """Whether a longer name that begins with all words of a name is printed more than once, as seen by the models: one
    place is its signature or footer, where the line ended too early."""
    words = normal_name(name).split()
    longer = Counter(
        whole
        for candidate in candidates
        if (whole := normal_name(candidate.value)).split()[: len(words)] == words
        and len(whole.split()) > len(words)
        and candidate.features.get("model:weakest word", 0.0) > 0
    )
    return max(longer.values(), default=0) > 1


def competing_words(
    pages: Sequence[PageEvidence], place: Place, labels: Sequence[Label], *, least: float = 0.0
) -> Iterator[tuple[int, int, float]]:
    """The words that do not print the value of a place, likeliest first: page, word, and the highest probability of
    some labels, which is at least `least`."""
    printed = pages[place.page].page.words
    own = [_plain(printed[word].text) for word in place.words]
    scored = [
        (score, number, word)
        for number, page in enumerate(pages)
        for word, score in enumerate(page.strongest(labels))
        if score >= least
    ]
    for score, number, word in sorted(scored, key=lambda each: -each[0]):
        if not _is_part(_plain(pages[number].page.words[word].text), own):
            yield number, word, score


def _is_whole(page: PageEvidence, words: Sequence[int]) -> bool:
    """Whether a name begins where the models see one begin, and no word behind it continues it."""
    after = words[-1] + 1
    is_last = after == len(page.page.words) or page.probability(after, Label.SELLER) < _AS_LIKELY
    return page.begins_span(words[0], Label.SELLER) and (is_last or page.begins_span(after, Label.SELLER))


def _words(place: Place) -> Iterator[tuple[int, int]]:
    return ((place.page, word) for word in place.words)


@lru_cache(maxsize=20_000)
def _plain(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _is_part(text: str, printed: Sequence[str]) -> bool:
    """Whether a word prints (a part of) the same: "EUR12.50" beside "12.50"."""
    return not text or any(text in found or (found and found in text) for found in printed)
