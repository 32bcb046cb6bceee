"""Names of issuers that the models are sure of from their first word to their last, over all their lines."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice

from serve_app.domain.document import Box, TextSource
from serve_app.domain.labels import Label
from serve_app.extraction.bounds import LONGEST_LINE
from serve_app.extraction.candidates.candidate import label_runs
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import Words
from serve_app.extraction.facts.names import bare, stand_alike, uncaptioned, up_to_form
from serve_app.extraction.parties.legal_forms import has_legal_form, without_legal_form
from serve_app.extraction.parties.names import NEXT

# From this probability on, each word of a name is sure.
SURE = 0.5
# The next line of a name is at most this far below, as a multiple of the height of its letters.
BELOW = 2.5
# Of lines in letters of one height, one is read as at most so many times as high as another.
_UNEVEN = 1.35


def whole_names(page: PageEvidence) -> Iterator[Words]:
    """The names of a page: a name begins where the models say so, and goes on over lines below one another until they
    say that another begins. Without what is attached to its end, or follows its legal form."""
    runs = deque(run for line in page.lines for run in label_runs(page, line, Label.SELLER, SURE))
    while runs:
        name = runs.popleft()
        if not page.begins_span(name[0], Label.SELLER):
            continue
        while len(name) < LONGEST_LINE and (following := _next(page, name, islice(runs, NEXT))):
            runs.remove(following)
            name += following
        name = bare(page.facts, uncaptioned(page.facts, name))
        yield next(up_to_form(page.facts, name), name)


def _next(page: PageEvidence, name: Words, runs: Iterable[Words]) -> Words | None:
    return next((run for run in runs if _continues(page, name, run)), None)


def _continues(page: PageEvidence, name: Words, run: Words) -> bool:
    """Whether a run is the next line of a name: right below its last line, and no beginning of another."""
    line = set(page.line_of(name[-1]))
    upper, lower = page.box([word for word in name if word in line]), page.box(run)
    if _is_company_below_brand(page.text([word for word in name if word in line]), page.text(run)):
        return False
    is_read = page.page.source is TextSource.OCR and _may_be_alike(upper, lower)
    return (
        lower.is_right_below(upper, BELOW)
        and (is_read or stand_alike(upper, lower))
        and not page.begins_span(run[0], Label.SELLER)
    )


def _is_company_below_brand(upper: str, lower: str) -> bool:
    """Whether a line in capitals is a whole company's name, below one that is not in capitals: "Sarang Akme" over "AKME
    TRADING (M) SDN BHD"."""
    is_company = lower.isupper() and has_legal_form(lower) and len(without_legal_form(lower)) > 1
    return is_company and not upper.isupper()


def _may_be_alike(upper: Box, lower: Box) -> bool:
    """Whether two lines overlap and may be in letters of one height: what was read from a picture is seldom as straight
    and even as it was printed."""
    return lower.shares_column(upper) and max(upper.height, lower.height) <= _UNEVEN * min(upper.height, lower.height)
