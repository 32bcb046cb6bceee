"""Synthetic invoices, and the training of both models on them."""
