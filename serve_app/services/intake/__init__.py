"""Accepting documents: creating an invoice for each, at most once."""
