"""Limits set by the contract, in one place for all code that states or enforces them."""

from datetime import timedelta


def megabytes(size: float) -> str:
    """A size in bytes as texts name it, read as the limit of the contract is."""
    return f"{size / 2**20:.3g} MB"


MAX_FILE_BYTES = 15 * 2**20
"""Bytes of the largest document: "15 MB" is read as 15 MiB, the more generous reading."""
WINDOW_LIFE = timedelta(hours=25)
"""How long a counter of requests or attempts is kept, from the beginning of its window: no window is longer than a
day."""
