"""Invoices of an account: looking at them, changing, reading again and removing them."""
