"""From two readings of a file to the invoices in it."""

from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.reading import Reading
from serve_app.extraction.evidence import gather
from serve_app.extraction.extract import extract_invoice
from serve_app.extraction.split import Part, split


def extract_sections(document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
    """Every invoice of a file, at least one: a file without any invoice is one in which nothing was found.

    A file with an electronic invoice inside is the print of that one invoice.
    """
    is_one = len(document.pages) == 1 or document.einvoice is not None
    parts = [] if is_one else split(gather(document, extractor, verifier))
    if len(parts) < 2:
        return extract_one(document, extractor, verifier)
    return [_section(document, extractor, verifier, part) for part in parts]


def extract_one(document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
    """The one invoice of pages that are known to belong together."""
    return [Section(1, len(document.pages), extract_invoice(document, extractor, verifier))]


def _section(document: Document, extractor: Reading, verifier: Reading, part: Part) -> Section:
    pages = part.first_page, part.last_page
    read = extract_invoice(document.section(*pages), extractor.section(*pages), verifier.section(*pages))
    return Section(*pages, read)
