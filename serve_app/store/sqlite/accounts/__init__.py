"""Accounts: their keys, limits, calls."""
