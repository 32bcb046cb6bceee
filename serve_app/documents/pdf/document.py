"""A PDF file to a document."""

from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.document import Document


def read_pdf(data: bytes, options: ReadOptions) -> Document:
    """Read every page; raise DocumentError for a file that is encrypted, damaged, or too large."""
    return Document(read_text_layer(data, options.limits))
