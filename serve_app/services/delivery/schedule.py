"""When a failed delivery is retried."""

from datetime import timedelta

# The delays before the second to the seventh attempt; each counts from the end of the previous attempt.
_DELAYS = (
    timedelta(seconds=2),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=8),
    timedelta(hours=24),
)
PAUSED_AFTER = timedelta(days=5)
"""How long an endpoint may fail every delivery before it is paused."""


def delay_after(attempts: int) -> timedelta | None:
    """How long to wait after this number of failed attempts (1 or more); None if no attempt follows."""
    return _DELAYS[attempts - 1] if attempts <= len(_DELAYS) else None
