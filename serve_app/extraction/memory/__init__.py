"""The third witness: what invoices that a person has confirmed say about the next ones of their vendor (ADR 0046)."""
