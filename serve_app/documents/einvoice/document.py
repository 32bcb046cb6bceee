"""Read an electronic invoice that is a file of its own."""

from serve_app.documents.einvoice.page import to_page
from serve_app.documents.einvoice.parse import parse_einvoice
from serve_app.documents.html import read_html
from serve_app.documents.options import ReadOptions
from serve_app.domain.document import Document


def read_xml(data: bytes, options: ReadOptions) -> Document:
    """The pages that show the invoice, and its record. Raise DocumentError as `parse_einvoice` and `read_html` do."""
    einvoice = parse_einvoice(data)
    pages = read_html(to_page(einvoice).encode(), options).pages
    return Document(pages, einvoice, is_einvoice=True)
