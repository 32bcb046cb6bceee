"""The queue of invoices, and who works on it."""
