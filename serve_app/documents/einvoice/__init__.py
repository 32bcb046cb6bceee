"""Electronic invoices: XML files, and those embedded in PDFs."""

from serve_app.documents.einvoice.page import to_page
from serve_app.documents.einvoice.parse import parse_einvoice, separated
from serve_app.documents.einvoice.reader import einvoice_file, read_einvoice, with_einvoice

__all__ = ["einvoice_file", "parse_einvoice", "read_einvoice", "separated", "to_page", "with_einvoice"]
