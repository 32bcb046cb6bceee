"""What bookkeeping asks for beside the header fields: buyer, order, parts of the sum, identifiers, terms."""

from serve_app.extraction.details.details import read_details

__all__ = ["read_details"]
