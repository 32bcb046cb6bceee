"""The evidence for each extracted value, and whether it is right: the data that a calibration is fitted on."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from models.evaluation.compare import is_absent, is_right, matched_lines
from models.evaluation.dataset import Case, Truth
from models.evaluation.pairing import paired
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.invoice import Confidence, Field
from serve_app.domain.reading import Reading
from serve_app.extraction.confidence.calibration import Calibration
from serve_app.extraction.confidence.confidence import Support, level, probability
from serve_app.extraction.confidence.document_evidence import DocumentEvidence
from serve_app.extraction.evidence import gather
from serve_app.extraction.extract import read_and_classify
from serve_app.extraction.split import split

# One row of the table, as a kind of value like the fields.
ROW = "row"
KINDS = (*(field.value for field in Field), ROW)
HEADER_KINDS = tuple(field.value for field in Field if field is not Field.LINE_ITEMS)


@dataclass(frozen=True, slots=True)
class Observation:
    """One value: `kind` is a field's name or `ROW`; `support` is None if something is printed but nothing was
    extracted. `group` names nearly identical documents, `source` those from one place."""

    case: str
    group: str
    kind: str
    support: Support | None
    is_right: bool
    source: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A value with its probability and level by a calibration; None if no value was extracted."""

    observation: Observation
    chance: float | None
    level: Confidence | None

    @property
    def is_header(self) -> bool:
        return self.observation.kind in HEADER_KINDS


def judged_by(calibration: Calibration, one: Observation) -> Judged:
    """A calibration's judgement of a value."""
    if one.support is None:
        return Judged(one, None, None)
    part = calibration.row if one.kind == ROW else calibration.fields[Field(one.kind)]
    return Judged(one, probability(one.support, part), level(one.support, part))


def key_of(field: Field) -> str:
    """A field's name in a truth, and in an extraction."""
    return "vendor_name" if field is Field.VENDOR else field.value


def observe(
    case: Case, document: Document, readings: tuple[Reading, Reading], sections: list[Section]
) -> Iterator[Observation]:
    """Every value of a file that the truth covers, including those that were dropped because the file seems to have no
    invoice.

    An invoice that is not one of the true ones is wrong in all its values, except in two cases in which nothing is
    known: a file with an embedded electronic invoice is one, whatever its truth says; and if no truth says on which
    pages its invoice is, there may be another one.
    """
    if not case.truths and document.einvoice is not None:
        return
    is_complete = all("_pages" in truth for truth in case.truths)
    truths = {found: case.truths[true] for true, found in paired(case.truths, sections).items()}
    for index, section in enumerate(sections):
        if index not in truths and not is_complete:
            continue
        evidence = _collect(document, readings, section if len(sections) > 1 else None)
        truth = truths.get(index)
        for kind, support, right in _values(evidence, truth, section):
            yield Observation(case.name, case.group or case.name, kind, support, right, case.source)


def _collect(document: Document, readings: tuple[Reading, Reading], section: Section | None) -> DocumentEvidence:
    # The truth was mostly taken from electronic invoices, so they must not count as evidence.
    document = replace(document, einvoice=None)
    if section is None:
        return read_and_classify(document, *readings, is_foreign=not split(gather(document, *readings)).parts)[0]
    pages = section.first_page, section.last_page
    one, other = readings
    return read_and_classify(document.section(*pages), one.section(*pages), other.section(*pages))[0]


def _values(
    evidence: DocumentEvidence, truth: Truth | None, section: Section
) -> Iterator[tuple[str, Support | None, bool]]:
    answers = evidence.answers()
    for field in Field:
        key = key_of(field)
        if field is Field.LINE_ITEMS or not _is_known(truth, key):
            continue
        if field in answers:
            right = truth is not None and is_right(key, truth, answers[field].value)
            yield field.value, evidence.support(field), right
        elif truth is not None and not is_absent(truth[key]):
            yield field.value, None, False
    if evidence.rows and _is_known(truth, "line_items") and len(section.extraction.line_items) == len(evidence.rows):
        yield from _rows(evidence, truth, section)


def _rows(
    evidence: DocumentEvidence, truth: Truth | None, section: Section
) -> Iterator[tuple[str, Support | None, bool]]:
    true_rows = truth["line_items"] if truth else []
    found = section.extraction.line_items
    matched = set(matched_lines(true_rows, found).values())
    for index, row in enumerate(evidence.rows):
        yield ROW, evidence.row_support(row), index in matched
    yield Field.LINE_ITEMS.value, evidence.table_support(), len(matched) == len(true_rows) == len(found)


def _is_known(truth: Truth | None, key: str) -> bool:
    return truth is None or (key in truth and key not in truth.get("_not_printed", []))
