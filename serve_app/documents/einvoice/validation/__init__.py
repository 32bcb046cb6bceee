"""Check electronic invoices with the rules that their standards publish (ADR 0149)."""

from serve_app.documents.einvoice.validation.validate import validate, validated

__all__ = ["validate", "validated"]
