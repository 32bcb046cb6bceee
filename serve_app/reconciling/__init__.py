"""Two readings of a document to its invoices, in a process of its own that can be stopped (ADR 0036)."""
