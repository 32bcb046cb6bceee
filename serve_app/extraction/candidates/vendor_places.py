"""Where a page may have the issuer's name: where the models see it, and where names stand anyway."""

from collections.abc import Iterator, Sequence

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Place, spans
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import Words
from serve_app.extraction.facts.names import OWNED, SEPARATORS, bare, names_in, names_of_page, repeats
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.parties.legal_forms import has_legal_form, is_only_legal_form

# Words with a lower probability are not part of a name according to the models.
SEEN = 0.15
# A line that is this many times as high as the one below it is a name by itself: that one says what it sells.
_LARGER = 1.6
# Ends of names that have a line of their own, also in small letters: "southgate" over "ADVISORY GROUP".
_COLLECTIVE = WordPattern(r"{names.collective}\W*$")


def vendor_places(pages: Sequence[PageEvidence]) -> Iterator[Place]:
    """Places that may print the name, some of them several times; each also without what is attached to the name."""
    for place, _ in spans(pages, Label.SELLER, floor=SEEN):
        page = pages[place.page]
        cell = page.cell_of(place.words[0])
        lower = [words for words in page.facts.cells_near(cell, (1,)) if _is_second_line(page, cell, words)]
        for words in dict.fromkeys((*names_in(page.facts, place.words), *names_in(page.facts, cell))):
            yield Place(place.page, words)
            # What was cut off at its end does not go on below.
            more = lower if words[-1] == cell[-1] else []
            longer = ((*words, *bare(page.facts, line)) for line in more if not repeats(page.facts, words, line))
            yield from (Place(place.page, each) for each in longer)
    facts = [page.facts for page in pages]
    for number, (before, printed) in enumerate(zip([None, *facts], facts, strict=False)):
        yield from (Place(number, words) for words in names_of_page(printed, before))


def _is_second_line(page: PageEvidence, upper: Words, words: Words) -> bool:
    """Whether a cell below a name may be its second line: it is the rest of its legal form, or the models see a name
    there, which is neither a list (of what is sold) nor its owner's."""
    text = page.text(words)
    if is_only_legal_form(text) or is_only_legal_form(f"{page.page.words[upper[-1]].text} {text}"):
        return True
    name = bare(page.facts, words)
    if not has_legal_form(page.text(name)) and not _COLLECTIVE.search(text):
        is_list = page.text(words[len(name) :][:1]) in SEPARATORS
        is_small = page.box(upper).height > _LARGER * page.box(words).height
        if is_list or is_small:
            return False
    return page.mean(words, Label.SELLER) > SEEN and not OWNED.match(text)
