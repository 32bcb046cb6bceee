"""Codes on pages, such as QR codes: what they say of the invoice. Nothing that a code links to is ever fetched."""

from serve_app.extraction.codes.decode import DecodedCode, decode

__all__ = ["DecodedCode", "decode"]
