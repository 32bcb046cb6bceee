"""PDF files as pages of words."""

from serve_app.documents.pdf.document import read_pdf, read_pdf_slice

__all__ = ["read_pdf", "read_pdf_slice"]
