"""Invoices of an account: look-up, changes, re-extraction and removal."""
