"""From two readings of a document to one extraction."""

from collections.abc import Sequence
from dataclasses import dataclass

from serve_app.domain.document import Document, union
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
from serve_app.extraction.einvoice import agrees, check_einvoice
from serve_app.extraction.evidence import gather
from serve_app.extraction.fields import Fields, read_fields
from serve_app.extraction.line_items import Row
from serve_app.extraction.totals import Check

# The fields whose own value the arithmetic proves.
_PROVED_BY = {Field.AMOUNT: Check.NET, Field.TAX: Check.NET_AND_TAX}
# The fields that a clerk need not look at any more when all of them are `high`.
VERIFIED_BY = (Field.VENDOR, Field.INVOICE_NUMBER, Field.AMOUNT, Field.CURRENCY, Field.ISSUED_AT)


@dataclass(frozen=True, slots=True)
class Witnesses:
    """The answers of both models together, and of each alone, about a document."""

    both: Fields
    extractor: Fields
    verifier: Fields
    document: Document

    def answers(self) -> dict[Field, Answer]:
        """The header fields that were found, in the order of the resource."""
        return {field: answer for field, answer in _answers(self.both).items() if answer is not None}

    def support(self, field: Field) -> Support:
        """What speaks for the answer to a header field."""
        final, one, other = (_answers(fields)[field] for fields in (self.both, self.extractor, self.verifier))
        needed = Check.NET_AND_TAX if field is Field.TAX else Check.NET
        return Support(
            models_agree=same_answer(field, final, one, other),
            adds_up=self.both.check >= needed,
            score=final.score if final else 0.0,
            legibility=self._legibility(field, final),
            einvoice_agrees=agrees(self.document.einvoice, field, final),
        )

    def _legibility(self, field: Field, answer: Answer | None) -> float:
        """How surely the words of an answer were read. Sums that add up were read right, however faint they are."""
        needed = _PROVED_BY.get(field)
        is_proved = needed is not None and self.both.check >= needed
        return 1.0 if answer is None or is_proved else legibility(self.document, answer.place)


def hear(document: Document, extractor: Reading, verifier: Reading) -> Witnesses:
    """Let each model answer alone, and both together; raise ValueError when a reading is of another document."""
    heard = ((extractor, verifier), (extractor,), (verifier,))
    both, one, other = (read_fields(gather(document, *readings)) for readings in heard)
    return Witnesses(both, one, other, document)


def legibility(document: Document, place: Place) -> float:
    """The confidence of the least surely read word of a place."""
    words = document.pages[place.page].words
    return min((words[word].confidence for word in place.words), default=1.0)


def extract_invoice(
    document: Document, extractor: Reading, verifier: Reading, calibration: Calibration | None = None
) -> Extraction:
    """Reconcile both readings into the values of an invoice, their confidence and their places on the page."""
    witnesses = hear(document, extractor, verifier)
    answers, rows = witnesses.answers(), witnesses.both.rows
    support = {field: witnesses.support(field) for field in answers}
    levels = {field: level(one) for field, one in support.items()}
    sure = frozenset(field for field, one in support.items() if one.models_agree)
    if rows:
        levels[Field.LINE_ITEMS] = level(_rows_support(witnesses))
    return Extraction(
        **{_ATTRIBUTE.get(field, field.value): answer.value for field, answer in answers.items()},
        line_items=[_line_item(row, witnesses) for row in rows],
        field_confidence=levels,
        citations=_citations(document, answers, rows),
        quality_score=_quality(list(support.values()), calibration or Calibration()),
        auto_verified=all(levels.get(field) is Confidence.HIGH for field in VERIFIED_BY),
        pages=len(document.pages),
        einvoice=check_einvoice(document, answers, sure),
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


def _rows_support(witnesses: Witnesses) -> Support:
    rows = witnesses.both.rows
    agree = same_rows(witnesses.extractor, witnesses.verifier) and same_rows(witnesses.both, witnesses.extractor)
    multiply = all(row.numbers.multiplies is not False for row in rows)
    return Support(models_agree=agree, adds_up=multiply and witnesses.both.check >= Check.NET, score=0.0)


def _line_item(row: Row, witnesses: Witnesses) -> LineItem:
    agree = has_same_row(row, witnesses.extractor.rows) and has_same_row(row, witnesses.verifier.rows)
    adds_up = row.numbers.multiplies if row.numbers.multiplies is not None else witnesses.both.check >= Check.NET
    legible = 1.0 if row.numbers.multiplies else legibility(witnesses.document, row.place)
    return LineItem(
        description=row.description,
        quantity=row.numbers.quantity,
        unit_price=row.numbers.unit_price,
        confidence=level(Support(models_agree=agree, adds_up=adds_up, score=0.0, legibility=legible)),
    )


def _citations(document: Document, answers: dict[Field, Answer], rows: Sequence[Row]) -> Citations:
    cited: Citations = {field: _citation(document, answer.place) for field, answer in answers.items()}
    if rows:
        cited[Field.LINE_ITEMS] = [_citation(document, row.place) for row in rows]
    return cited


def _citation(document: Document, place: Place) -> Citation:
    page = document.pages[place.page]
    words = [page.words[index] for index in place.words]
    box = page.shown(union(word.box for word in words))
    corners = (round(box.x0, 4), round(box.y0, 4), round(box.x1, 4), round(box.y1, 4))
    return Citation(page=page.number, box=corners, text=" ".join(word.text for word in words))


def _quality(support: Sequence[Support], calibration: Calibration) -> float | None:
    """The expected share of the extracted header fields that are right; None where nothing was extracted."""
    if not support:
        return None
    return round(sum(probability(one, calibration) for one in support) / len(support), 4)
