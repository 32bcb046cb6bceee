"""Measure the whole extraction on documents with known truth."""
