"""Electronic invoices embedded in PDFs (Factur-X, ZUGFeRD)."""

from serve_app.documents.einvoice.reader import read_einvoice

__all__ = ["read_einvoice"]
