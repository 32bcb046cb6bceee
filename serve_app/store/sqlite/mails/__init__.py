"""Mails that came in, and what belongs to them."""
