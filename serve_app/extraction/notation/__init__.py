"""The notation of a document: how it writes digits, decimals and signs."""

from serve_app.extraction.notation.pages import in_plain_notation

__all__ = ["in_plain_notation"]
