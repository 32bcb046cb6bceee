"""What is kept for people of what a run saw: the words, the values in question, and why one is not sure."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from serve_app.domain.document import Box, Document, Page, TextSource, union
from serve_app.domain.evidence import (
    HEADER,
    UNITS,
    Candidate,
    Doubt,
    DoubtCode,
    Evidence,
    FieldEvidence,
    PageWords,
    ReadBy,
)
from serve_app.domain.invoice import VERIFIED_BY, Confidence, Field
from serve_app.extraction.confidence.agreement import Answer, same_value
from serve_app.extraction.confidence.calibration import Calibration, FieldCalibration
from serve_app.extraction.confidence.confidence import Support, may_be_high, probability
from serve_app.extraction.confidence.document_evidence import DocumentEvidence
from serve_app.extraction.reconcile.choice import Check
from serve_app.extraction.tables.line_items import sum_of

MOST = 6
"""Candidates of a field."""
_LEAST = 0.03
# Words that the reader is less sure of are worth a look at the paper.
_READ_WELL = 0.8

_IMPLAUSIBLE: Mapping[Field, str] = {
    Field.ISSUED_AT: "The issue date and the due date do not fit together.",
    Field.DUE_AT: "It does not fit the issue date, or nothing on the page says that it is the day of payment.",
    Field.INVOICE_NUMBER: "It does not look like an invoice number.",
    Field.VENDOR: "Nothing beside it on the pages says that this is the issuer.",
}

Supports = Mapping[Field, Support]
Levels = Mapping[Field, Confidence]


def evidence_of(
    document: Document, collected: DocumentEvidence, support: Supports, levels: Levels, calibration: Calibration
) -> Evidence:
    """The evidence for one invoice. Of the fields that everybody needs it is a doubt that there is no value."""
    fields = {}
    for field in HEADER:
        seen = _of_field(document, collected, field, support, levels)
        if field in support:
            seen = _weighed(seen, support[field], calibration.fields[field])
        if seen != FieldEvidence():
            fields[str(field)] = seen
    if collected.rows and levels.get(Field.LINE_ITEMS) is not Confidence.HIGH:
        fields[str(Field.LINE_ITEMS)] = FieldEvidence(doubt=_doubt_of_table(collected))
    return Evidence(tuple(words_of(page) for page in document.pages), fields)


def _weighed(seen: FieldEvidence, support: Support, calibration: FieldCalibration) -> FieldEvidence:
    """How likely the value is right; whether it may be `high`, and from which chance on it is, and would be with each
    target precision."""
    return replace(
        seen,
        chance=round(probability(support, calibration), 4),
        high=calibration.threshold,
        targets={str(target): chance for target, chance in calibration.thresholds.items()},
        models_agree=support.models_agree,
        may_be_high=may_be_high(support),
    )


def words_of(page: Page) -> PageWords:
    """The words of a page as they are kept."""
    boxes = [corner for word in page.words for corner in corners_of(page.shown(word.box))]
    scores = () if page.source is TextSource.TEXT_LAYER else tuple(round(100 * word.confidence) for word in page.words)
    texts = " ".join(word.text for word in page.words)
    is_turned = page.to_shown is not None
    return PageWords(
        page.number,
        round(page.width, 1),
        round(page.height, 1),
        texts,
        tuple(boxes),
        scores,
        is_turned=is_turned,
        upright=tuple(corner for word in page.words for corner in corners_of(word.box)) if is_turned else (),
    )


def corners_of(box: Box) -> tuple[int, int, int, int]:
    """A box in `UNITS`."""
    x0, y0, x1, y1 = (round(UNITS * corner) for corner in (box.x0, box.y0, box.x1, box.y1))
    return x0, y0, x1, y1


def _of_field(
    document: Document,
    collected: DocumentEvidence,
    field: Field,
    support: Supports,
    levels: Levels,
) -> FieldEvidence:
    candidates = tuple(_candidates(document, collected, field))
    if levels.get(field) is Confidence.HIGH:
        return FieldEvidence(candidates)
    if field in support:
        return FieldEvidence(candidates, _doubt(collected, field, support[field]))
    missing = Doubt(DoubtCode.NOT_FOUND, "No value was found with enough certainty.")
    return FieldEvidence(candidates, missing if field in VERIFIED_BY else None)


def _candidates(document: Document, collected: DocumentEvidence, field: Field) -> list[Candidate]:
    """The answers of all, then what else is likely; each value once."""
    by_source = {
        ReadBy.BOTH: collected.both.answer(field),
        ReadBy.EXTRACTOR: collected.extractor.answer(field),
        ReadBy.VERIFIER: collected.verifier.answer(field),
    }
    answers = [answer for answer in by_source.values() if answer is not None]
    others = [answer for answer in collected.both.fields.ranked.get(field, ()) if answer.score >= _LEAST]
    found: list[Answer] = []
    for answer in (*answers, *others):
        if len(found) < MOST and not any(same_value(field, answer, known) for known in found):
            found.append(answer)
    return [_candidate(document, field, answer, by_source, others) for answer in found]


def _candidate(
    document: Document,
    field: Field,
    answer: Answer,
    by_source: Mapping[ReadBy, Answer | None],
    others: Sequence[Answer],
) -> Candidate:
    own = {source: other for source, other in by_source.items() if other and same_value(field, answer, other)}
    same = [other for other in (answer, *own.values(), *others) if same_value(field, answer, other)]
    page = document.pages[answer.place.page]
    words = [page.words[index] for index in answer.place.words]
    return Candidate(
        value=exact_text(answer.value),
        text=" ".join(word.text for word in words),
        sources=tuple(own),
        score=round(min(1.0, max(other.score for other in same)), 3),
        page=page.number,
        box=corners_of(page.shown(union(word.box for word in words))),
    )


def exact_text(value: Any) -> str:
    """A value as evidence states it, all digits included."""
    if isinstance(value, Decimal):
        return format(value, "f")
    return value.isoformat() if isinstance(value, date) else str(value)


def _shown(value: Any) -> str:
    return f"{value:,f}" if isinstance(value, Decimal) else exact_text(value)


def _doubt(collected: DocumentEvidence, field: Field, support: Support) -> Doubt:
    if support.is_foreign:
        return Doubt(DoubtCode.OTHER_DOCUMENT, "The pages look like those of another kind of document, or of several.")
    if support.legibility < _READ_WELL:
        return Doubt(DoubtCode.READ_BADLY, f"Read badly: {support.legibility:.0%}.")
    if not support.models_agree:
        return _doubt_of_models(collected, field)
    if not support.is_plausible:
        return Doubt(DoubtCode.IMPLAUSIBLE, _IMPLAUSIBLE.get(field, "The value is unusual for this field."))
    if not support.adds_up:
        return Doubt(DoubtCode.SUMS_MISS, _about_sums(collected))
    return Doubt(DoubtCode.UNSURE, "The models agree, but too few values like this one were right.")


def _doubt_of_models(collected: DocumentEvidence, field: Field) -> Doubt:
    alone = [collected.extractor.answer(field), collected.verifier.answer(field)]
    given = [answer for answer in alone if answer is not None]
    if len(given) == len(alone) and not same_value(field, *given):
        values = " and ".join(_shown(answer.value) for answer in given)
        return Doubt(DoubtCode.MODELS_DIFFER, f"The models differ: {values}.")
    if len(given) == 1:
        return Doubt(DoubtCode.MODELS_DIFFER, f"Only one of the two models reads {_shown(given[0].value)}.")
    return Doubt(DoubtCode.UNSURE, "The models only guess.")


def _about_sums(collected: DocumentEvidence) -> str:
    fields = collected.both.fields
    lines, amount, tax = sum_of(list(fields.rows)), fields.amount, fields.tax
    if fields.check is not Check.CONTRADICTED:
        return "No sums on the pages prove the amount."
    if lines is None or amount is None:
        return "The sums on the pages do not add up."
    wanted = [amount.value] + ([amount.value - tax.value] if tax else [])
    missed = min(abs(lines - each) for each in wanted)
    return f"The lines miss the total by {_shown(missed)}." if missed else "The sums on the pages do not add up."


def _doubt_of_table(collected: DocumentEvidence) -> Doubt:
    support = collected.table_support()
    if not support.models_agree:
        counts = len(collected.extractor.fields.rows), len(collected.verifier.fields.rows)
        if counts[0] != counts[1]:
            return Doubt(DoubtCode.MODELS_DIFFER, f"The models differ: {counts[0]} and {counts[1]} rows.")
        return Doubt(DoubtCode.MODELS_DIFFER, "The models read the rows differently.")
    if not support.adds_up:
        return Doubt(DoubtCode.SUMS_MISS, _about_sums(collected))
    if support.legibility < _READ_WELL:
        return Doubt(DoubtCode.READ_BADLY, f"Read badly: {support.legibility:.0%}.")
    return Doubt(DoubtCode.UNSURE, "The models agree, but are not sure of every row.")
