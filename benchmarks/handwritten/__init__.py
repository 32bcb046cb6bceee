"""Invoices and receipts written by hand in the manner of widespread issuers: to measure on, never to train on."""
