"""Vendors and their sums."""
