"""From two readings of a document to one extraction."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from serve_app.domain.document import Document, union
from serve_app.domain.embedded_data import Code, EInvoiceCheck
from serve_app.domain.evidence import Evidence
from serve_app.domain.invoice import (
    VERIFIED_BY,
    Citation,
    Citations,
    Confidence,
    DocumentType,
    Extraction,
    Field,
    LineItem,
    ModelRevisions,
)
from serve_app.domain.provenance import ATTRIBUTES
from serve_app.domain.reading import Reading
from serve_app.domain.vendor import NOTHING_KNOWN, VendorDetails
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.checks.files import file_checks
from serve_app.extraction.checks.tax_rate import tax_rate_check
from serve_app.extraction.codes.check import check_codes
from serve_app.extraction.confidence.agreement import Answer
from serve_app.extraction.confidence.calibration import UNFITTED, Calibration
from serve_app.extraction.confidence.confidence import Support, level, probability
from serve_app.extraction.confidence.document_evidence import DocumentEvidence, collect_evidence
from serve_app.extraction.confidence.kept_evidence import evidence_of
from serve_app.extraction.details import read_details
from serve_app.extraction.document_type import Kind, is_titled_invoice, kind_of
from serve_app.extraction.einvoice.data import Comparison, check_einvoice
from serve_app.extraction.einvoice.values import with_einvoice_doubts, with_einvoice_values
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.parties.vendor_details import vendor_details
from serve_app.extraction.printed import printed_text
from serve_app.extraction.split.several import shows_several_invoices
from serve_app.extraction.tables.line_items import Row


class Extracted(NamedTuple):
    """The values of an invoice, what is kept of what was seen, and what the pages say about its issuer."""

    extraction: Extraction
    evidence: Evidence
    vendor: VendorDetails


def extract_with_evidence(
    document: Document,
    extractor: Reading,
    verifier: Reading,
    calibration: Calibration = UNFITTED,
    *,
    is_foreign: bool = False,
    pages: Sequence[PageEvidence] | None = None,
) -> Extracted:
    """Reconcile both readings into the values of an invoice, their confidence and their places on the page, and what is
    kept of what was seen.

    `is_foreign`: the pages look like those of another kind of document, so nothing on them is certain. `pages` is the
    evidence of both models, if it has been gathered already.
    """
    collected, kind = read_and_classify(document, extractor, verifier, is_foreign=is_foreign, pages=pages)
    judged = _judged(collected, calibration)
    models = ModelRevisions(extractor=extractor.revision, verifier=verifier.revision)
    extraction = _extraction(collected, kind, judged, models)
    evidence = evidence_of(document, collected, judged.support, judged.levels, calibration)
    if document.is_einvoice:
        read = extraction
        extraction = with_einvoice_values(read, document, lambda place: _citation(document, place))
        evidence = with_einvoice_doubts(evidence, read, extraction)
    return Extracted(_with_checks(extraction, document), evidence, _vendor(collected))


class _Judged(NamedTuple):
    """What supports each field and its level, by a calibration, and what the machine-readable parts of the document
    say."""

    support: dict[Field, Support]
    levels: dict[Field, Confidence]
    calibration: Calibration
    einvoice: EInvoiceCheck | None
    codes: list[Code]


def _judged(collected: DocumentEvidence, calibration: Calibration) -> _Judged:
    document, answers = collected.document, collected.answers()
    support = {field: collected.support(field) for field in answers}
    sure = frozenset(field for field, evidence in support.items() if evidence.models_agree)
    printed = Comparison(printed_text([page.facts for page in collected.both.pages]), answers, sure)
    einvoice, codes = check_einvoice(document, printed), check_codes(document, printed)
    support = _without_disputed(support, einvoice, codes)
    levels = {field: level(evidence, calibration.fields[field]) for field, evidence in support.items()}
    if collected.rows:
        levels[Field.LINE_ITEMS] = level(collected.table_support(), calibration.fields[Field.LINE_ITEMS])
    return _Judged(support, levels, calibration, einvoice, codes)


def _extraction(collected: DocumentEvidence, kind: Kind, judged: _Judged, models: ModelRevisions) -> Extraction:
    document, answers, rows = collected.document, collected.answers(), collected.rows
    calibration = judged.calibration
    return Extraction(
        **{ATTRIBUTES.get(field, field.value): answer.value for field, answer in answers.items()},
        line_items=[_line_item(row, level(collected.row_support(row), calibration.row)) for row in rows],
        field_confidence=judged.levels,
        citations=_citations(document, answers, rows),
        quality_score=_quality(judged.support, calibration),
        auto_verified=all(judged.levels.get(field) is Confidence.HIGH for field in VERIFIED_BY),
        target_precision=calibration.target,
        pages=len(document.pages),
        einvoice=judged.einvoice,
        codes=judged.codes,
        models=models,
        document_type=kind.type,
        document_type_confidence=_type_level(kind, collected),
        details=read_details(collected, kind.type, calibration, lambda place: _citation(document, place)),
    )


def _vendor(collected: DocumentEvidence) -> VendorDetails:
    fields = collected.both.fields
    if not fields.vendor:
        return NOTHING_KNOWN
    return vendor_details(collected.both.pages, fields.vendor.value, fields.about_vendor.places)


def _with_checks(extraction: Extraction, document: Document) -> Extraction:
    """What is unusual about the invoice by itself; what its supplier billed before is not known here."""
    rate = tax_rate_check(extraction)
    checks = [*file_checks(document, extraction), *([] if rate is None else [rate])]
    return extraction.model_copy(update={"checks": checks}) if checks else extraction


def read_and_classify(
    document: Document,
    extractor: Reading,
    verifier: Reading,
    *,
    is_foreign: bool = False,
    pages: Sequence[PageEvidence] | None = None,
) -> tuple[DocumentEvidence, Kind]:
    """What the models say, and of what kind the document is: of one that asks for no payment, and of pages
    that show several invoices, nothing is certain."""
    evidence = collect_evidence(document, extractor, verifier, both=pages)
    is_paid = states_payment(evidence)
    kind = kind_of(evidence.both.pages, is_foreign=is_foreign or not evidence.answers(), states_payment=is_paid)
    is_other = kind.type is DocumentType.OTHER or (is_foreign and not is_paid)
    return replace(evidence, is_foreign=is_other or shows_several_invoices(evidence.both.pages)), kind


def states_payment(evidence: DocumentEvidence) -> bool:
    """Whether a document states who issued it, when, and a sum to be paid or paid: both models see sum and day or,
    under an invoice's title, any two of them."""
    if not evidence.answers().keys() >= set(_STATED_BY_INVOICES):
        return False
    agreed = [evidence.agree_on(field) for field in _STATED_BY_INVOICES]
    return all(agreed[:2]) or (sum(agreed) > 1 and is_titled_invoice(evidence.both.pages[0]))


_STATED_BY_INVOICES = (Field.AMOUNT, Field.ISSUED_AT, Field.VENDOR)


def _type_level(kind: Kind, collected: DocumentEvidence) -> Confidence:
    """`high` if title, layout and sums agree, `mid` if only one of them supports it."""
    if kind.type is DocumentType.OTHER:
        return Confidence.MID if kind.is_sure else Confidence.LOW
    agrees = collected.adds_up and collected.agree_on(Field.AMOUNT)
    if kind.is_sure and agrees:
        return Confidence.HIGH
    return Confidence.MID if kind.is_sure or agrees else Confidence.LOW


def _without_disputed(
    support: Mapping[Field, Support], einvoice: EInvoiceCheck | None, codes: Sequence[Code]
) -> dict[Field, Support]:
    """The evidence, in which no field is plausible that a machine-readable part of the document contradicts: one of
    both was forged, or is misread."""
    differences = [*(einvoice.differences if einvoice else ()), *(each for code in codes for each in code.differences)]
    disputed = {each.field.value for each in differences}
    return {
        field: replace(evidence, is_plausible=False) if field.value in disputed else evidence
        for field, evidence in support.items()
    }


def _line_item(row: Row, confidence: Confidence) -> LineItem:
    return LineItem(
        description=row.description,
        quantity=row.numbers.quantity,
        unit_price=row.numbers.unit_price,
        confidence=confidence,
        total=row.numbers.total,
        tax_rate=row.tax_rate,
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


def _quality(support: Mapping[Field, Support], calibration: Calibration) -> float | None:
    """The expected share of right values among the extracted header fields; None if nothing was extracted."""
    if not support:
        return None
    chances = [probability(evidence, calibration.fields[field]) for field, evidence in support.items()]
    return round(sum(chances) / len(chances), 4)
