"""Make invoices of two readings of a document, in a separate process that can be stopped (ADR 0036)."""
