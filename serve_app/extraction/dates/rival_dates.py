"""Other days of a document that speak against its dates, and what speaks for a day of payment."""

import re
from collections.abc import Sequence
from datetime import date

from serve_app.extraction.candidates.candidate import Candidate, all_dates
from serve_app.extraction.captions import Caption
from serve_app.extraction.captions.find import find_captions
from serve_app.extraction.confidence.agreement import Answer
from serve_app.extraction.dates.dates import Order
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.knowledge import WordPattern

_PAYMENT = WordPattern("{terms.payment}")
# Where a sentence ends; a small letter behind a full stop goes on with it: "no. 12 due on".
_END_OF_SENTENCE = re.compile(r"[!?;·。]|\.(?=\s+(?:[^\W\d_a-z]|$))")


def is_day_of_payment(pages: Sequence[PageEvidence], day: Answer) -> bool:
    """Whether a caption calls a day due, or the sentence that it stands in is about payment."""
    page = pages[day.place.page]
    captions = page.captions(day.place.words)
    if Caption.DUE_DATE in (*captions.before, *captions.above, *captions.column):
        return True
    return _PAYMENT.search(_sentence(page, day)) is not None


def _sentence(page: PageEvidence, day: Answer) -> str:
    """The words of the sentence around a day, on its line and the one above."""
    words = day.place.words
    line, last = page.line_of(words[0]), page.line_of(words[-1])
    row = page.row_of(words[0])
    above = page.text(page.lines[row - 1]) if row else ""
    before = f"{above} {page.text(line[: line.index(words[0])])}"
    behind = page.text(last[last.index(words[-1]) + 1 :])
    return f"{_END_OF_SENTENCE.split(before)[-1]} {_END_OF_SENTENCE.split(behind)[0]}"


def has_date_over_caption(pages: Sequence[PageEvidence], day: Answer) -> bool:
    """Whether another day has no caption before or above it, and that of an issue date right below it: on such pages
    what is above a value is the caption of another one."""
    dates = (found for found in all_dates(pages, Order.DAY_FIRST) if found.place != day.place)
    return any(_is_over_caption(pages[found.place.page], found) for found in dates)


def is_another_day_of_issue(pages: Sequence[PageEvidence], day: Answer) -> bool:
    """Whether a caption calls another day the date of issue, and none this one: "Date in 8/12, Invoice date 8/14"."""
    called = {
        found.value
        for found in all_dates(pages, Order.DAY_FIRST)
        for captions in [pages[found.place.page].captions(found.place.words)]
        if Caption.ISSUE_DATE in (*captions.before, *captions.above)
    }
    captions = pages[day.place.page].captions(day.place.words)
    own = (*captions.before, *captions.above, *captions.earlier, *captions.column)
    return Caption.ISSUE_DATE not in own and bool(called - {day.value})


def _is_over_caption(page: PageEvidence, found: Candidate[date]) -> bool:
    captions = page.captions(found.place.words)
    if captions.before or captions.above:
        return False
    return any(
        Caption.ISSUE_DATE in each.meanings
        for cell in page.facts.cells_near(found.place.words, (1,))
        for each in find_captions([page.page.words[word] for word in page.facts.as_read(cell)])
    )
