"""Invoices, from intake to result."""
