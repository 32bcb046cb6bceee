"""Mails that providers hand over as they came in, by HTTP."""
