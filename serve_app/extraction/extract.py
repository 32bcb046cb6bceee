"""From two readings of a document to one extraction."""

from collections.abc import Sequence
from dataclasses import dataclass

from serve_app.domain.document import Document
from serve_app.domain.invoice import (
    Citation,
    Citations,
    Confidence,
    Extraction,
    Field,
    LineItem,
    ModelRevisions,
)
from serve_app.domain.reading import Reading
from serve_app.extraction.agreement import Answer, has_same_row, same_answer, same_rows
from serve_app.extraction.candidates import Place
from serve_app.extraction.confidence import Calibration, Support, level, probability
from serve_app.extraction.evidence import PageEvidence, gather
from serve_app.extraction.fields import Fields, read_fields
from serve_app.extraction.line_items import Row
from serve_app.extraction.totals import Check

# The fields that a clerk need not look at any more when all of them are `high`.
VERIFIED_BY = (Field.VENDOR, Field.INVOICE_NUMBER, Field.AMOUNT, Field.CURRENCY, Field.ISSUED_AT)


@dataclass(frozen=True, slots=True)
class _Witnesses:
    """The answers of both models together, and of each alone."""

    both: Fields
    extractor: Fields
    verifier: Fields


def extract_invoice(
    document: Document, extractor: Reading, verifier: Reading, calibration: Calibration | None = None
) -> Extraction:
    """Reconcile both readings into the values of an invoice, their confidence and their places on the page."""
    pages = gather(document, extractor, verifier)
    witnesses = _Witnesses(
        read_fields(pages), read_fields(gather(document, extractor)), read_fields(gather(document, verifier))
    )
    answers = _answers(witnesses.both)
    support = {field: _support(field, witnesses) for field, answer in answers.items() if answer}
    levels = {field: level(one) for field, one in support.items()}
    rows = witnesses.both.rows
    if rows:
        levels[Field.LINE_ITEMS] = level(_rows_support(witnesses))
    return Extraction(
        **{_ATTRIBUTE.get(field, field.value): answer.value for field, answer in answers.items() if answer},
        line_items=[_line_item(row, witnesses) for row in rows],
        field_confidence=levels,
        citations=_citations(pages, answers, rows),
        quality_score=_quality(list(support.values()), calibration or Calibration()),
        auto_verified=all(levels.get(field) is Confidence.HIGH for field in VERIFIED_BY),
        pages=len(document.pages),
        models=ModelRevisions(extractor=extractor.revision, verifier=verifier.revision),
    )


_ATTRIBUTE = {Field.VENDOR: "vendor_name"}


def _answers(fields: Fields) -> dict[Field, Answer | None]:
    """The header fields' answers, in the order of the resource."""
    return {
        Field.VENDOR: fields.vendor,
        Field.INVOICE_NUMBER: fields.invoice_number,
        Field.AMOUNT: fields.amount,
        Field.CURRENCY: fields.currency,
        Field.ISSUED_AT: fields.issued_at,
        Field.DUE_AT: fields.due_at,
        Field.TAX: fields.tax,
    }


def _support(field: Field, witnesses: _Witnesses) -> Support:
    final, one, other = (_answers(w)[field] for w in (witnesses.both, witnesses.extractor, witnesses.verifier))
    needed = Check.NET_AND_TAX if field is Field.TAX else Check.NET
    return Support(
        models_agree=same_answer(field, final, one, other),
        adds_up=witnesses.both.check >= needed,
        score=final.score if final else 0.0,
    )


def _rows_support(witnesses: _Witnesses) -> Support:
    rows = witnesses.both.rows
    agree = same_rows(witnesses.extractor, witnesses.verifier) and same_rows(witnesses.both, witnesses.extractor)
    multiply = all(row.multiplies is not False for row in rows)
    return Support(models_agree=agree, adds_up=multiply and witnesses.both.check >= Check.NET, score=0.0)


def _line_item(row: Row, witnesses: _Witnesses) -> LineItem:
    agree = has_same_row(row, witnesses.extractor.rows) and has_same_row(row, witnesses.verifier.rows)
    adds_up = row.multiplies if row.multiplies is not None else witnesses.both.check >= Check.NET
    return LineItem(
        description=row.description,
        quantity=row.quantity,
        unit_price=row.unit_price,
        confidence=level(Support(models_agree=agree, adds_up=adds_up, score=0.0)),
    )


def _citations(pages: Sequence[PageEvidence], answers: dict[Field, Answer | None], rows: Sequence[Row]) -> Citations:
    cited: Citations = {field: _citation(pages, answer.place) for field, answer in answers.items() if answer}
    if rows:
        cited[Field.LINE_ITEMS] = [_citation(pages, row.place) for row in rows]
    return cited


def _citation(pages: Sequence[PageEvidence], place: Place) -> Citation:
    page = pages[place.page]
    box = page.box(place.words)
    corners = (round(box.x0, 4), round(box.y0, 4), round(box.x1, 4), round(box.y1, 4))
    return Citation(page=page.page.number, box=corners, text=page.text(place.words))


def _quality(support: Sequence[Support], calibration: Calibration) -> float | None:
    """The expected share of the extracted header fields that are right; None where nothing was extracted."""
    if not support:
        return None
    return round(sum(probability(one, calibration) for one in support) / len(support), 4)
