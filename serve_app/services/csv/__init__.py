"""Export of invoices as CSV."""
