"""Cutting a file into other invoices than the service found in it."""
