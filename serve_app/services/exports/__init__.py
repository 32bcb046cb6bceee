"""Exports: bills, and the files that other bookkeeping programs import."""
