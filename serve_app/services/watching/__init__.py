"""Watched folders: their files become invoices, each content once."""
