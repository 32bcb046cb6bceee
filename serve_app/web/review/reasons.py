"""Why somebody should look: at the document as a whole, or at one field. Nothing is said about a field that does not
concern it."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta

from serve_app.domain.evidence import DoubtCode, ReadBy
from serve_app.domain.invoice import Confidence, Field
from serve_app.domain.review_answer import ReviewAnswer, ReviewDoubt, ReviewField

Show = Callable[[str], str]
"""Writes a stored value as people do."""

_OF_DOCUMENT = (DoubtCode.SUMS_MISS, DoubtCode.OTHER_DOCUMENT)
_TOO_LONG = timedelta(days=180)
_DATES = (Field.ISSUED_AT, Field.DUE_AT)
_OTHER_KIND = "The pages look like another kind of document, or like several."


def needs_look(field: ReviewField) -> bool:
    """Whether a person should compare the value with the page; nobody has decided yet."""
    is_unsure = field.confidence not in (None, Confidence.HIGH)
    return field.decision is None and (field.doubt is not None or is_unsure)


def document_reasons(review: ReviewAnswer) -> Mapping[DoubtCode, str]:
    """What concerns the document as a whole, each once."""
    doubts = [field.doubt for field in review.fields.values() if field.decision is None]
    if review.line_items.decision is None:
        doubts.append(review.line_items.doubt)
    found = {doubt.code: doubt.text for doubt in reversed(doubts) if doubt is not None and doubt.code in _OF_DOCUMENT}
    if DoubtCode.OTHER_DOCUMENT in found:
        found[DoubtCode.OTHER_DOCUMENT] = _OTHER_KIND
    return found


def field_reason(name: str, review: ReviewAnswer, show: Show) -> str:
    """What concerns this field; empty if nothing is known that does."""
    field = review.fields[name]
    doubt = field.doubt
    if doubt is None or field.decision is not None:
        return ""
    match doubt.code:
        case DoubtCode.MODELS_DIFFER:
            return _two_readings(field, show)
        case DoubtCode.READ_BADLY:
            return "Hard to read on the page."
        case DoubtCode.NOT_FOUND:
            return "Not found. Enter the value if it is printed." if field.value is None else ""
        case DoubtCode.IMPLAUSIBLE:
            return _mismatch_of_dates(review) if name in _DATES else ""
        case DoubtCode.REMEMBERED:
            return doubt.text
        case _:
            return ""


def lines_reason(doubt: ReviewDoubt | None) -> str:
    """What concerns the lines and not the document."""
    match doubt.code if doubt else None:
        case DoubtCode.MODELS_DIFFER:
            return "Two readings of the lines differ."
        case DoubtCode.READ_BADLY:
            return "Hard to read on the page."
        case _:
            return ""


def _two_readings(field: ReviewField, show: Show) -> str:
    by_reader = dict(_alone(field))
    one, other = by_reader.get(ReadBy.EXTRACTOR), by_reader.get(ReadBy.VERIFIER)
    if one is not None and other is not None and one != other:
        return f"Two readings: {show(one)} and {show(other)}."
    only = one if other is None else other
    return "Two readings differ." if only is None else f"Only one of two readings is {show(only)}."


def _alone(field: ReviewField) -> Iterator[tuple[ReadBy, str]]:
    """What each of the two readers reads."""
    for candidate in field.candidates:
        for reader in candidate.sources:
            yield reader, candidate.value


def _mismatch_of_dates(review: ReviewAnswer) -> str:
    issued, due = (_day(review.fields[name].value) for name in _DATES)
    if issued is None or due is None:
        return ""
    if due < issued:
        return "The due date is before the issue date."
    return "The due date is long after the issue date." if due - issued > _TOO_LONG else ""


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
