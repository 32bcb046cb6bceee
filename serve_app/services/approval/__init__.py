"""Approval of invoices by e-mail."""
