"""All details of a document, each with its confidence and its place."""

from collections.abc import Callable
from typing import Any, TypeVar

from serve_app.domain.invoice import Citation, Confidence, Detail, Details, DocumentType, Field, TaxLine
from serve_app.extraction.candidates.amounts import amount_candidates
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.confidence.calibration import Calibration
from serve_app.extraction.confidence.confidence import Support, level
from serve_app.extraction.confidence.document_evidence import DocumentEvidence, legibility
from serve_app.extraction.confidence.model_evidence import ModelEvidence
from serve_app.extraction.details.found import Found
from serve_app.extraction.details.order import purchase_order
from serve_app.extraction.details.parties import buyer_name, identifiers
from serve_app.extraction.details.sums import find_parts
from serve_app.extraction.details.taxes import LABELS as TAX_LABELS
from serve_app.extraction.details.taxes import TaxRow, TaxTable, tax_table
from serve_app.extraction.details.terms import payment_terms
from serve_app.extraction.notation.numbers import decimal_style

Value = TypeVar("Value")

# A model supports a value if it gives its words the label with at least this probability.
SPEAKS = 0.5
# The most similar header field, whose calibration is used.
_LIKE = {
    Detail.BUYER_NAME: Field.VENDOR,
    Detail.PURCHASE_ORDER: Field.INVOICE_NUMBER,
    Detail.TAX_LINES: Field.TAX,
    Detail.VENDOR_TAX_ID: Field.VENDOR,
    Detail.BUYER_TAX_ID: Field.VENDOR,
    Detail.IBAN: Field.VENDOR,
}


def read_details(
    collected: DocumentEvidence, type: DocumentType, calibration: Calibration, cite: Callable[[Place], Citation]
) -> Details | None:
    """The details of a document of a type, as both models together give them; None where there is none."""
    found, taxes = _find(collected, type)
    if not found and not taxes.rows:
        return None
    levels = {detail: _level(collected, detail, item, calibration) for detail, item in found.items()}
    citations: dict[Detail, Citation | list[Citation]] = {detail: cite(item.place) for detail, item in found.items()}
    if taxes.rows:
        rows = [_found(row, taxes.is_proved) for row in taxes.rows]
        every = [_level(collected, Detail.TAX_LINES, row, calibration) for row in rows]
        levels[Detail.TAX_LINES] = min(every, key=list(Confidence)[::-1].index)
        citations[Detail.TAX_LINES] = [cite(row.place) for row in rows]
    return Details(
        **{detail.value: item.value for detail, item in found.items()},
        tax_lines=[TaxLine(rate=row.rate, base=row.base, amount=row.amount) for row in taxes.rows],
        field_confidence=_in_order(levels),
        citations=_in_order(citations),
    )


def _in_order(values: dict[Detail, Value]) -> dict[Detail, Value]:
    """The values in the order of the resource."""
    return {detail: values[detail] for detail in Detail if detail in values}


def _find(collected: DocumentEvidence, type: DocumentType) -> tuple[dict[Detail, Found[Any]], TaxTable]:
    pages, fields = collected.both.pages, collected.both.fields
    style = decimal_style(word.text for page in pages for word in page.page.words)
    candidates = amount_candidates(pages, style)
    every: dict[Detail, Found[Any] | None] = {
        Detail.BUYER_NAME: buyer_name(pages, fields.vendor, is_receipt=type is DocumentType.RECEIPT),
        Detail.PURCHASE_ORDER: purchase_order(pages, fields.invoice_number),
        Detail.PAYMENT_TERMS: payment_terms(pages),
        **find_parts(pages, candidates, fields),
        **identifiers(pages, fields.vendor),
    }
    found = {detail: item for detail, item in every.items() if item is not None}
    return found, tax_table(pages, candidates, fields, style)


def _found(row: TaxRow, is_proved: bool) -> Found[Any]:
    return Found(row.amount, row.place, TAX_LABELS, is_proved=is_proved)


def _level(collected: DocumentEvidence, detail: Detail, found: Found[Any], calibration: Calibration) -> Confidence:
    return level(_support(collected, detail, found), calibration.fields[_LIKE.get(detail, Field.AMOUNT)])


def _support(collected: DocumentEvidence, detail: Detail, found: Found[Any]) -> Support:
    """The evidence for a detail. A name or a number, which no arithmetic can prove, needs a document that adds up."""
    scores = [_score(collected, model, found) for model in (collected.extractor, collected.verifier)]
    # Nothing can prove an order's number.
    proves_itself = detail is not Detail.PURCHASE_ORDER
    is_sum = _LIKE.get(detail, Field.AMOUNT) in (Field.AMOUNT, Field.TAX)
    return Support(
        models_agree=min(scores) >= SPEAKS,
        adds_up=(found.is_proved or not proves_itself) and (is_sum or collected.adds_up),
        extractor=scores[0],
        verifier=scores[1],
        together=_score(collected, collected.both, found),
        legibility=1.0 if is_sum and found.is_proved else legibility(collected.document, found.place),
        # Where little speaks for the seller's name, the parties may be mixed up.
        is_plausible=detail is not Detail.BUYER_NAME or collected.both.fields.about_vendor.is_corroborated,
        is_foreign=collected.is_foreign,
    )


def _score(collected: DocumentEvidence, model: ModelEvidence, found: Found[Any]) -> float:
    """How sure a model alone is of a value: of its words, or of the header field that it belongs to, if it sees that
    itself."""
    if found.depends_on is not None:
        is_seen = model.points_at(found.depends_on)
        return model.score(found.depends_on, collected.answers()[found.depends_on]) if is_seen else 0.0
    page = model.pages[found.place.page]
    return min(1.0, sum(page.mean(found.place.words, label) for label in found.labels))
