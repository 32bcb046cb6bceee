"""Write records of electronic invoices as XML that follows EN 16931, independently of how they are read."""

from serve_app.documents.einvoice.writers.cii import write_cii
from serve_app.documents.einvoice.writers.ubl import write_ubl

__all__ = ["write_cii", "write_ubl"]
