"""Dates that may be the invoice's issue date or due date."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import LIKELY, Candidate, all_dates
from serve_app.extraction.candidates.features import Features, of_captions, relative_log_odds
from serve_app.extraction.captions import Caption
from serve_app.extraction.corrected import corrected_words
from serve_app.extraction.dates.dates import Order, begins_period, find_dates
from serve_app.extraction.document_type import is_titled_credit_note
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import Words
from serve_app.extraction.knowledge import WordPattern

KINDS = (
    Caption.ISSUE_DATE,
    Caption.DATE,
    Caption.DUE_DATE,
    Caption.OTHER_DATE,
    Caption.INVOICE_NUMBER,
    Caption.RECEIPT_NUMBER,
    Caption.TITLE,
    Caption.OTHER_NUMBER,
    Caption.AMOUNT_DUE,
)
_LABELS = (Label.ISSUE_DATE, Label.DUE_DATE, Label.OTHER_DATE)
# More words are no caption and its value.
_SENTENCE = 7
_TIME = re.compile(r"(?<!\d)\d{1,2}[:h]\d\d(?!\d)")
# A date until which less needs to be paid is not the date on which everything must be.
_DISCOUNT = WordPattern("{terms.discount}")
_NO_DISCOUNT = WordPattern("{terms.no_discount}")
_OFFER_BEHIND = WordPattern(r"\W*{terms.offers}[^.;]{0,30}?{terms.discount}")
# The tax office's permit for a till, or for a printer of forms.
_PERMIT = WordPattern("{countries.permits}")
# The days that most terms of payment allow.
USUAL_TERMS = frozenset({7, 8, 10, 14, 15, 20, 21, 28, 30, 31, 45, 60, 90})
# More days are hardly a term of payment.
LONG_TERM = 120


def date_candidates(pages: Sequence[PageEvidence], order: Order, issued: date | None = None) -> list[Candidate[date]]:
    """Every date on the pages. With `issued`, for the due date: earlier ones and those of a discount are left out, and
    the time since then counts."""
    printed = (date for date in all_dates(pages, order) if pages[date.place.page].is_printed(date.place.words))
    corrected = corrected_words(pages)
    is_credit = issued is not None and is_titled_credit_note(pages[0])
    found = [
        date
        for date in printed
        if date.place.words[0] not in corrected[date.place.page]
        and not _is_of_other_paper(pages[date.place.page], date.place.words)
        and (issued is None or _may_be_due(pages, date, issued, is_credit=is_credit))
    ]
    values = sorted({date.value for date in found})
    return [replace(date, features=_features(pages, date, values, issued)) for date in found]


def called(
    pages: Sequence[PageEvidence], candidates: Sequence[Candidate[date]], caption: Caption
) -> list[Candidate[date]]:
    """The dates of candidates that a caption right before or above them calls so, and by no other name."""
    captions = [(candidate, pages[candidate.place.page].captions(candidate.place.words)) for candidate in candidates]
    return [
        Candidate(candidate.value, LIKELY, candidate.place)
        for candidate, near in captions
        if (caption,) in (near.before if near.skipped == 0 else (), near.above)
    ]


def _is_of_other_paper(page: PageEvidence, words: Words) -> bool:
    """Whether a date is that of the invoice which a credit note corrects, or of the permit for a till."""
    captions = page.captions(words)
    is_captioned = captions.skipped == 0 and Caption.ISSUE_DATE in captions.before
    if not is_captioned and Caption.OTHER_INVOICE in (*captions.before, *captions.earlier, *captions.above):
        return True
    row = page.row_of(words[0])
    near = " ".join(page.text(line) for line in page.lines[max(0, row - 1) : row + 2])
    return _PERMIT.search(near) is not None


def has_other_due_date(pages: Sequence[PageEvidence], order: Order, due: date) -> bool:
    """Whether a caption makes another day a due date, too: that of an instalment, or of a discount."""
    return any(
        Caption.DUE_DATE in (*captions.before, *captions.above, *captions.column)
        for other in all_dates(pages, order)
        if other.value != due
        for captions in [pages[other.place.page].captions(other.place.words)]
    )


def _features(
    pages: Sequence[PageEvidence], found: Candidate[date], values: Sequence[date], issued: date | None
) -> Features:
    page = pages[found.place.page]
    days = (found.value - issued).days if issued else 0
    return {
        **_of_models(page, found.place.words),
        **of_captions(page.captions(found.place.words), KINDS),
        "only": float(len(values) == 1),
        "first page": float(found.place.page == 0),
        "with time": float(_has_time(page, found.place.words)),
        "day of issue": float(issued is not None and days == 0),
        "usual term": float(days in USUAL_TERMS),
        "long after": float(days > LONG_TERM),
    }


def _of_models(page: PageEvidence, words: Sequence[int]) -> Features:
    """The surest word of a date counts: models often see only one of "1 March 2024"."""
    best = {label: max(page.probability(word, label) for word in words) for label in _LABELS}
    return {f"model:{label.lower()}": relative_log_odds(chance) for label, chance in best.items()}


def _has_time(page: PageEvidence, words: Sequence[int]) -> bool:
    line = page.line_of(words[-1])
    end = line.index(words[-1])
    return any(_TIME.search(page.page.words[word].text) for word in line[end : end + 3])


def _may_be_due(pages: Sequence[PageEvidence], found: Candidate[date], issued: date, *, is_credit: bool) -> bool:
    is_other = _is_of_discount(pages, found) or _ends_period(pages, found)
    is_other |= is_credit and _is_in_sentence(pages, found)
    return found.value >= issued and not is_other


def _is_in_sentence(pages: Sequence[PageEvidence], found: Candidate[date]) -> bool:
    """Whether a date stands in running text, as those of other invoices do on a credit note."""
    return len(pages[found.place.page].cell_of(found.place.words[0])) > _SENTENCE


def _ends_period(pages: Sequence[PageEvidence], found: Candidate[date]) -> bool:
    """Whether a date is the last day of a period on its line, which no caption says to be that of payment."""
    page = pages[found.place.page]
    captions = page.captions(found.place.words)
    if Caption.DUE_DATE in (*captions.before, *captions.above, *captions.column):
        return False
    # The whole period may be one word: "08.05.-07.06.24".
    printed = page.page.words[found.place.words[0]].text
    inside = next((printed[: date.start] for date in find_dates(printed)), "")
    return begins_period(f"{_before(page, found.place.words[0])} {inside}")


def _is_of_discount(pages: Sequence[PageEvidence], found: Candidate[date]) -> bool:
    """Whether the words since the date before offer a discount for paying until this date ("net until 4 July, 3 %
    discount until 15 June"), or those after it do ("until 15 June you get 3 % discount")."""
    page = pages[found.place.page]
    line, before = page.line_of(found.place.words[0]), _before(page, found.place.words[0])
    since = _since_last_date(f"{_line_before(page, line)} {before}" if _goes_on(before) else before)
    offer = _DISCOUNT.search(since)
    if offer is not None:
        return _NO_DISCOUNT.search(since) is None
    rest = page.line_of(found.place.words[-1])
    return _OFFER_BEHIND.match(page.text(rest[rest.index(found.place.words[-1]) + 1 :])) is not None


def _before(page: PageEvidence, word: int) -> str:
    """The words of a line up to one."""
    line = page.line_of(word)
    return page.text(line[: line.index(word)])


def _since_last_date(text: str) -> str:
    """The words after the last date and what they offer for it."""
    last = max((date.end for date in find_dates(text)), default=0)
    offer = _OFFER_BEHIND.match(text, last) if last else None
    return text[offer.end() if offer else last :]


def _goes_on(before: str) -> bool:
    """Whether the words before a date are the middle of a sentence that began on the line above."""
    return before[:1].islower() and not find_dates(before)


def _line_before(page: PageEvidence, line: Sequence[int]) -> str:
    row = page.row_of(line[0])
    return page.text(page.lines[row - 1]) if row else ""
