"""The SQLite store by itself: many processes at once, and accounts of a million invoices."""
