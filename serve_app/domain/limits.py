"""Limits set by the contract, in one place for all code that states or enforces them."""

MAX_FILE_BYTES = 15 * 2**20
"""Bytes of the largest document: "15 MB" is read as 15 MiB, the more generous reading."""
