"""From two readings of a file to the invoices in it."""

from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.invoice import Confidence, Extraction, Field
from serve_app.domain.reading import Reading
from serve_app.extraction.evidence import gather
from serve_app.extraction.extract import extract_invoice
from serve_app.extraction.split import Part, split

_SUMS_AND_DATES = frozenset({Field.AMOUNT, Field.TAX, Field.ISSUED_AT, Field.DUE_AT})


def extract_sections(document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
    """Every invoice of a file, at least one: a file without any invoice is one in which nothing was found.

    A file with an electronic invoice inside is the print of that one invoice.
    """
    parts = split(gather(document, extractor, verifier))
    if document.einvoice is None and len(parts) > 1:
        sections = [_section(document, extractor, verifier, part) for part in parts]
        found = [section for section in sections if not is_nothing(section.extraction, is_foreign=False)]
        if len(found) > 1:
            return found
    (whole,) = extract_one(document, extractor, verifier)
    if is_nothing(whole.extraction, is_foreign=not parts):
        return [Section(whole.first_page, whole.last_page, _emptied(whole.extraction))]
    return [whole]


def extract_one(document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
    """The one invoice of pages that are known to belong together."""
    return [Section(1, len(document.pages), extract_invoice(document, extractor, verifier))]


def is_nothing(extraction: Extraction, *, is_foreign: bool) -> bool:
    """Whether what was read makes no invoice: nothing in it is more than a guess; or its pages look like those of
    another kind of document (`is_foreign`), and neither a sum nor a date is more than a guess."""
    levels = extraction.field_confidence or {}
    telling = _SUMS_AND_DATES if is_foreign else levels.keys() - {Field.CURRENCY}
    return all(levels.get(field, Confidence.LOW) is Confidence.LOW for field in telling)


def _section(document: Document, extractor: Reading, verifier: Reading, part: Part) -> Section:
    pages = part.first_page, part.last_page
    read = extract_invoice(document.section(*pages), extractor.section(*pages), verifier.section(*pages))
    return Section(*pages, read)


def _emptied(extraction: Extraction) -> Extraction:
    """What is left to say of a file that holds no invoice."""
    return Extraction(pages=extraction.pages, models=extraction.models, einvoice=extraction.einvoice)
