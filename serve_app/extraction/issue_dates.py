"""The day an invoice was issued."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from serve_app.domain.labels import Label
from serve_app.extraction.candidates import Candidate, best_by_value, dates
from serve_app.extraction.dates import Order
from serve_app.extraction.evidence import PageEvidence

# "Invoice No. 17 of 1 March 2024": at most this many words between the number and its date.
NEARBY = 3
# How much of the number's certainty its date inherits.
INHERITED = 0.9


def issue_dates(pages: Sequence[PageEvidence], order: Order, number: Candidate[str] | None) -> list[Candidate[date]]:
    """Dates that the models take for the issue date, best first; one printed right after the invoice number counts
    as much as the number does, whatever a model takes it for."""
    found = dates(pages, Label.ISSUE_DATE, order)
    if number is not None:
        found += [
            replace(one, score=INHERITED * number.score)
            for label in (Label.ISSUE_DATE, Label.OTHER_DATE)
            for one in dates(pages, label, order)
            if _follows(pages, one, number)
        ]
    return best_by_value(found)


def _follows(pages: Sequence[PageEvidence], one: Candidate[date], number: Candidate[str]) -> bool:
    """Whether the date stands on the line of the invoice number, close behind it."""
    if one.place.page != number.place.page:
        return False
    line = next(line for line in pages[one.place.page].lines if number.place.words[-1] in line)
    if one.place.words[0] not in line:
        return False
    return 0 < line.index(one.place.words[0]) - line.index(number.place.words[-1]) <= NEARBY + 1
