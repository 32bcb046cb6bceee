"""The names of a page: in the blocks where issuers print theirs, whatever the models see."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from serve_app.domain.document import Box
from serve_app.extraction.captions.lexicon import meanings, tokens
from serve_app.extraction.facts.page import SAME_EDGE, PageFacts, Words
from serve_app.extraction.facts.sections import sections
from serve_app.extraction.knowledge import Caption, WordPattern
from serve_app.extraction.parties.headings import heading_alone, heading_length, heads_seller
from serve_app.extraction.parties.legal_forms import has_legal_form, is_only_legal_form
from serve_app.extraction.parties.statements import stated_names

# Cells on this many lines at the top of the first page are considered, whatever the models say.
TOP_LINES = 4
# A cell whose letters are this much higher than usual on the page may be a wordmark.
LARGE = 1.5
# A name is at most this many lines below its heading, and above its registration number.
NEAR = 2
# Lines of one name are in letters of the same height, up to this share, right below each other (in letters' heights),
# and begin or are centred at the same place.
_SAME_LETTERS = 0.2
_BELOW = 2.0
# What identifies a company, whatever its country calls it; behind "Co." as well if a long number follows.
REGISTERED = WordPattern(r"\b(?:{countries.registrations}\b|(?<!& )co[.:]{1,2} (?=\d{6,}\b))")
# How the second line of a name begins.
_LINK = WordPattern(r"(?!(?-i:[A-Z][a-z]))(?:{names.joins|names.leads} [^\W\d]|{names.elided})")
# How the first line ends if the second one tells what is owned.
OWNERS = ("'s", "’s")
# A line of so many words is no name that goes on below.
_LONG_LINE = 6
SEPARATORS = frozenset("·•|–—-/*~")
# What stands before a contact.
_CARE_OF = WordPattern(r"{names.care_of}\.?:?")
# What stands between a brand and the company that owns it: "(A unit of Akme Ltd)".
OWNED = WordPattern(
    r"\(?(?:{connectives.articles} )?{names.owned} |"
    r"{statements.copyright}(?: {statements.copyright})?(?: (?:19|20)\d\d)? "
)
# The caption of a name in a form, where no colon ends it. Those that begin names of companies, too, are not here.
_NAME = WordPattern(r"{names.bare_captions}\s(?=[A-Z])")
_LONG_NUMBER = re.compile(r"(?:\D*\d){4}")


def names_of_page(page: PageFacts, before: PageFacts | None) -> list[Words]:
    """The words of each name that a page may print, some of them several times; each also without what is attached to
    it. Of the first page, which has none `before` it, what stands out is one, too."""
    return page.once(_find_names, before)


def _find_names(page: PageFacts, before: PageFacts | None) -> list[Words]:
    found = [
        *_formed(page),
        *_broken_before_form(page),
        *_broken_before_link(page),
        *_headed(page),
        *(section.name for section in sections(page, before) if section.name),
        *_over_registration(page),
        *(_prominent(page) if before is None else ()),
    ]
    return [*(words for cell in dict.fromkeys(found) for words in names_in(page, cell)), *page.once(names_stated)]


def repeats(page: PageFacts, upper: Words, lower: Words) -> bool:
    """Whether the second of two lines begins with the first: a brand over its company, "Akme" over "Akme Tools Ltd"."""
    return page.text(lower).casefold().startswith(page.text(upper).casefold())


def last_line(page: PageFacts, words: Words) -> tuple[str, str]:
    """What a name prints above its last line, and on it."""
    last = set(page.line_of(words[-1]))
    return page.text([word for word in words if word not in last]), page.text([word for word in words if word in last])


def usual_height(page: PageFacts) -> float:
    """The height of most words."""
    return median([word.box.height for word in page.page.words] or [1.0])


def bare(page: PageFacts, words: Words) -> Words:
    """A cell without what is attached to the end of a name: a registration number, an address behind a mark or a
    comma, the title of the document."""
    texts = [page.page.words[word].text for word in words]
    end = next((at for at in range(1, len(texts)) if _ends_before(texts, at)), len(texts))
    while end > 1 and REGISTERED.fullmatch(re.sub(r"[()\[\]:.,]", "", texts[end - 1])):
        end -= 1
    return words[:end]


def _ends_before(texts: Sequence[str], at: int) -> bool:
    """Whether the name made of the words before `at` ends there."""
    text = texts[at]
    if text in SEPARATORS or _LONG_NUMBER.match(text) or _CARE_OF.fullmatch(text):
        return True
    if text.startswith("("):
        inside = " ".join(texts[at:]).partition(")")[0]
        return any(map(str.isdigit, inside)) or REGISTERED.match(inside[1:]) is not None
    rest = texts[at:]
    if Caption.TITLE in meanings(tokens(" ".join(rest))):
        return True
    # A comma separates a name from its address, but "Inc." and "LLC" follow one, too.
    return texts[at - 1].endswith(",") and any(any(map(str.isdigit, later)) for later in rest)


def names_in(page: PageFacts, cell: Words) -> Iterator[Words]:
    """The names that a cell may contain: without a caption before it, and without what is attached to its end."""
    named = uncaptioned(page, cell)
    # "Akme SAS au capital de 50 000 € – Siège : 1 rue de Lyon".
    before_caption = cell[: next(iter(_captions_in(page, cell)), 0)]
    yield from dict.fromkeys((named, bare(page, named), *up_to_form(page, named), *up_to_form(page, before_caption)))


def up_to_form(page: PageFacts, name: Words) -> Iterator[Words]:
    """A name up to a legal form inside it, if more in small letters, another heading, a registration or another company
    follows: "Akme B.V. namens Beispiel.com", "Akme Ltd SHIP TO", "Akme Lda, NIF 5", "Akme KG, Akme GmbH"."""
    for end in range(2, len(name)):
        rest = page.text(name[end:])
        is_listed = page.page.words[name[end - 1]].text.endswith(",") and has_legal_form(rest)
        goes_on = rest[:1].islower() or heading_alone(rest) is not None or REGISTERED.match(rest) or is_listed
        if goes_on and has_legal_form(page.text(name[:end])):
            yield name[:end]


def uncaptioned(page: PageFacts, cell: Words) -> Words:
    """A cell without what introduces a name: "From: Akme Ltd", "Seller Akme Ltd", "Naam Akme B.V.", "A unit of Akme
    Ltd"."""
    owned = OWNED.match(page.text(cell)) or _NAME.match(page.text(cell))
    if owned:
        cell = cell[len(owned[0].split()) :] or cell
    heads = _captions_in(page, cell)
    named = cell[heads[-1] + 1 :] if heads else cell
    rest = named[heading_length([page.page.words[word].text for word in named]) :]
    # "Lieferant AG" is a name.
    return named if not rest or is_only_legal_form(page.text(rest)) else rest


def _captions_in(page: PageFacts, cell: Words) -> list[int]:
    """The places of the words of a cell that have a colon and something behind it."""
    return [at for at, word in enumerate(cell[:-1]) if page.page.words[word].text.endswith(":")]


def _formed(page: PageFacts) -> Iterator[Words]:
    return (
        cell for cell in page.cells if has_legal_form(page.text(cell)) or has_legal_form(page.text(bare(page, cell)))
    )


def _broken_before_form(page: PageFacts) -> Iterator[Words]:
    """Names whose second line ends in a legal form: a cell in the same letters right above one that has such a form,
    from the same edge or around the same centre."""
    for cell in page.cells:
        if has_legal_form(page.text(bare(page, cell))):
            above = page.cells_near(cell, (-1,))
            yield from ((*upper, *bare(page, cell)) for upper in above if _begins(page, upper, cell))


def _broken_before_link(page: PageFacts) -> Iterator[Words]:
    """Names whose second line goes on in the middle: "Les Celliers" over "du Layon", "DA GIGI" over "DI ROSSI",
    "Akme's" over "HARDWARE"."""
    for cell in page.cells:
        lower = bare(page, cell)
        for upper in page.cells_near(cell, (-1,)):
            if _goes_on(page.text(upper), page.text(cell)) and _may_go_on(page, upper, lower):
                yield (*upper, *lower)


def _goes_on(upper: str, lower: str) -> bool:
    return _LINK.match(lower) is not None or upper.endswith(OWNERS)


def _may_go_on(page: PageFacts, upper: Words, lower: Words) -> bool:
    """Whether a cell may be the first line of a name that the one below it, in letters of any height, goes on with."""
    one, other = page.box(upper), page.box(lower)
    is_name = not any(map(str.isdigit, page.text(upper))) and bare(page, upper) == upper and len(upper) < _LONG_LINE
    return is_name and other.is_right_below(one, _BELOW) and _are_aligned(one, other)


def _begins(page: PageFacts, upper: Words, lower: Words) -> bool:
    """Whether a cell may be the first line of a name that the one below it ends."""
    text = page.text(upper)
    ends = text.endswith((":", ".")) or (text.endswith(",") and not is_only_legal_form(page.text(lower)))
    is_name = not any(map(str.isdigit, text)) and not ends and bare(page, upper) == upper
    is_other = has_legal_form(text) or OWNED.match(page.text(lower)) or repeats(page, upper, lower)
    one, other = page.box(upper), page.box(lower)
    return is_name and not is_other and other.is_right_below(one, _BELOW) and stand_alike(one, other)


def stand_alike(upper: Box, lower: Box) -> bool:
    """Whether two lines are in letters of one height, and begin or are centred at one place."""
    is_alike = abs(upper.height - lower.height) <= _SAME_LETTERS * max(upper.height, lower.height)
    return is_alike and _are_aligned(upper, lower)


def _are_aligned(upper: Box, lower: Box) -> bool:
    return min(abs(upper.x0 - lower.x0), abs(upper.x_center - lower.x_center)) < SAME_EDGE


def _prominent(page: PageFacts) -> Iterator[Words]:
    """The cells at the top, and those in large letters."""
    usual = usual_height(page)
    top = {cell for line in page.lines[:TOP_LINES] for cell in page.cells_of(line)}
    return iter(sorted(top | {cell for cell in page.cells if page.box(cell).height > LARGE * usual}))


def _headed(page: PageFacts) -> Iterator[Words]:
    """Cells after and below the heading of the seller, or of whoever is to be paid."""
    for line in page.lines:
        row = page.cells_of(line)
        for cell, following in pairwise([*row, ()]):
            if heads_seller(page.text(cell)):
                yield cell
                if following:
                    yield following
                yield from page.cells_near(cell, range(1, NEAR + 1))


def names_stated(page: PageFacts) -> list[Words]:
    """Names that a sentence says are the issuer's; one that goes to the end of its line may go on in the next."""
    found = []
    for cell in page.cells:
        following = next((below for below in page.cells_near(cell, (1,)) if _is_next_line(page, cell, below)), ())
        words = (*cell, *following)
        for start, end in stated_names([page.page.words[word].text for word in words]):
            if start < len(cell):
                found.append(bare(page, words[start:end]))
    return found


def _is_next_line(page: PageFacts, upper: Words, lower: Words) -> bool:
    """Whether a cell is the next line of a paragraph."""
    one, other = page.box(upper), page.box(lower)
    return abs(one.x0 - other.x0) < SAME_EDGE and other.is_right_below(one, _BELOW)


def _over_registration(page: PageFacts) -> Iterator[Words]:
    """Cells before and above a company's registration number."""
    for cell in page.cells:
        if REGISTERED.search(page.text(cell)):
            yield cell
            yield from page.cells_near(cell, range(-NEAR, 0))
