"""Accounts, their keys, and who a caller is."""
