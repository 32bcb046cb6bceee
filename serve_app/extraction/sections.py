"""From two readings of a file to the invoices in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from msgspec import structs

from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.evidence import Evidence, pack
from serve_app.domain.invoice import Confidence, DocumentType, Extraction, Field
from serve_app.domain.reading import Reading
from serve_app.domain.vendor import NOTHING_KNOWN
from serve_app.extraction.bounds import bounded_document
from serve_app.extraction.confidence.calibration import UNFITTED, Calibration
from serve_app.extraction.evidence import PageEvidence, gather
from serve_app.extraction.extract import Extracted, extract_with_evidence
from serve_app.extraction.memory.keys import keys_of_document
from serve_app.extraction.parties.names import normal_name, normal_number
from serve_app.extraction.split import PageCut, Part, split

# An invoice of more pages is read anew only when it has grown by this share of the pages beyond them.
_SHORT, _GROWTH = 20, 0.25


def extract_sections(
    document: Document, extractor: Reading, verifier: Reading, calibration: Calibration = UNFITTED
) -> list[Section]:
    """Every invoice of a file, at least one: a file without invoices gives one in which nothing was found. A file with
    an embedded electronic invoice is that one invoice, printed.
    """
    document = bounded_document(document)
    file = _File.of(document, extractor, verifier, calibration)
    if document.einvoice is None:
        found = file.with_shared_pages_cut().sections()
        if len(found) > 1:
            return found
    return [file.whole()]


@dataclass(frozen=True, slots=True)
class _File:
    """What is known of a file before it is cut. `parts` are its invoices, `chances` how likely each page begins one:
    of a single page there is nothing to decide."""

    document: Document
    extractor: Reading
    verifier: Reading
    calibration: Calibration
    pages: tuple[PageEvidence, ...]
    parts: Sequence[Part]
    chances: Sequence[float]

    @classmethod
    def of(cls, document: Document, extractor: Reading, verifier: Reading, calibration: Calibration) -> Self:
        pages = gather(document, extractor, verifier)
        parts, chances = split(pages)
        return cls(document, extractor, verifier, calibration, pages, parts, chances if len(pages) > 1 else ())

    def with_shared_pages_cut(self) -> "_File":
        """The file with a page for each document, where some share one."""
        cut = PageCut.of(self.pages)
        if not cut.is_needed:
            return self
        readings = cut.reading(self.extractor), cut.reading(self.verifier)
        return _File.of(cut.document(self.document), *readings, self.calibration)

    def sections(self) -> list[Section]:
        """The invoices of a file of several; none of a file of one."""
        if len(self.parts) < 2:
            return []
        sections = [section for section in map(self._section, self.parts) if not is_nothing(section.extraction)]
        return [self._in_file(section) for section in _joined(sections, self._section)]

    def _section(self, part: Part) -> Section:
        first, last = part.first_page, part.last_page
        readings = self.extractor.section(first, last), self.verifier.section(first, last)
        document, pages = self.document.section(first, last), self.pages[first - 1 : last]
        extracted = extract_with_evidence(document, *readings, self.calibration, pages=pages)
        return _section_of(first, last, extracted, self.chances[first - 1 : last])

    def _in_file(self, section: Section) -> Section:
        """The section with the numbers that its pages have in the file."""
        first, last = (self.document.pages[page - 1].number for page in (section.first_page, section.last_page))
        return replace(section, first_page=first, last_page=last)

    def whole(self) -> Section:
        """All pages as one invoice."""
        readings, is_foreign = (self.extractor, self.verifier), not self.parts
        whole = extract_with_evidence(
            self.document, *readings, self.calibration, is_foreign=is_foreign, pages=self.pages
        )
        if is_nothing(whole.extraction):
            whole = whole._replace(extraction=_emptied(whole.extraction), vendor=NOTHING_KNOWN)
        return _section_of(1, len(self.document.pages), whole, self.chances)


def extract_one(
    document: Document, extractor: Reading, verifier: Reading, calibration: Calibration = UNFITTED
) -> list[Section]:
    """The one invoice of pages that are known to belong together."""
    document = bounded_document(document)
    pages = gather(document, extractor, verifier)
    whole = extract_with_evidence(document, extractor, verifier, calibration, pages=pages)
    return [_section_of(1, len(document.pages), whole)]


def is_nothing(extraction: Extraction) -> bool:
    """Whether no value is more than a guess; a currency alone is none."""
    levels = extraction.field_confidence or {}
    return not {field for field, level in levels.items() if level is not Confidence.LOW} - {Field.CURRENCY}


def _joined(sections: Sequence[Section], cut: Callable[[Part], Section]) -> list[Section]:
    """The invoices of a file, with the pages that say again which one they belong to."""
    runs: list[_Run] = []
    for section in sections:
        if runs and runs[-1].goes_on(section):
            runs[-1].take(section.last_page)
        else:
            runs.append(_Run(section, section.last_page, cut))
    for run in runs:
        run.end()
    return [run.section for run in runs]


@dataclass(slots=True)
class _Run:
    """An invoice with the pages that go on with it, up to the last; long ones are read anew only now and then, or every
    page of a file would be read with all before it."""

    section: Section
    last_page: int
    cut: Callable[[Part], Section]

    def goes_on(self, section: Section) -> bool:
        return self.last_page + 1 == section.first_page and _have_one_number(self.section, section)

    def take(self, last_page: int) -> None:
        """Go on up to a page."""
        self.last_page = last_page
        known = self.section.last_page + 1 - self.section.first_page
        if last_page - self.section.last_page > (known - _SHORT) * _GROWTH:
            self.end()

    def end(self) -> None:
        """Read the invoice with all of its pages."""
        if self.section.last_page < self.last_page:
            self.section = self.cut(Part(self.section.first_page, self.last_page))


def _have_one_number(before: Section, section: Section) -> bool:
    """Whether pages have the number of an invoice, are of no other issuer, and are no copy of it: the invoices of one
    order may all show the order's number."""
    one, other = before.extraction, section.extraction
    if one.invoice_number is None or other.invoice_number is None:
        return False
    names = {normal_name(name) for name in (one.vendor_name, other.vendor_name) if name}
    is_same = normal_number(one.invoice_number) == normal_number(other.invoice_number) and len(names) < 2
    return is_same and (one.amount, one.issued_at) != (other.amount, other.issued_at)


def _section_of(first: int, last: int, extracted: Extracted, chances: Sequence[float] = ()) -> Section:
    seen = _with_chances(extracted.evidence, chances)
    keys = keys_of_document(seen)
    return Section(first, last, extracted.extraction, extracted.vendor, pack(seen), keys, seen.agreed)


def _with_chances(seen: Evidence, chances: Sequence[float]) -> Evidence:
    """For people who look where the file was cut."""
    if len(seen.pages) != len(chances):
        return seen
    pages = [
        structs.replace(page, begins=round(100 * chance)) for page, chance in zip(seen.pages, chances, strict=True)
    ]
    return structs.replace(seen, pages=tuple(pages))


def _emptied(extraction: Extraction) -> Extraction:
    """What remains of a file without an invoice."""
    is_other = extraction.document_type is DocumentType.OTHER
    return Extraction(
        pages=extraction.pages,
        models=extraction.models,
        target_precision=extraction.target_precision,
        einvoice=extraction.einvoice,
        codes=extraction.codes,
        document_type=DocumentType.OTHER,
        document_type_confidence=extraction.document_type_confidence if is_other else Confidence.LOW,
    )
