"""When a failed delivery is retried."""

import hashlib
from datetime import timedelta
from uuid import UUID

# The delays before the second to the seventh attempt; each counts from the end of the previous attempt.
_DELAYS = (
    timedelta(seconds=2),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=8),
    timedelta(hours=24),
)
# The second attempt follows at exactly its time. The later ones are spread, so that a receiver that was down does not
# get everything at the same moment, again and again.
_FIRST_SPREAD = 2
_SPREAD = 0.1
_MOST_SPREAD = timedelta(minutes=30)
PAUSED_AFTER = timedelta(days=5)
"""How long an endpoint may fail every delivery before it is paused."""


def delay_after(attempts: int, delivery_id: UUID) -> timedelta | None:
    """How long to wait after this number of failed attempts (1 or more); None if no attempt follows. From the third
    attempt on, it is longer than the schedule's delay by up to a tenth, half an hour at most. The same delivery always
    gets the same delays."""
    if attempts > len(_DELAYS):
        return None
    delay = _DELAYS[attempts - 1]
    if attempts < _FIRST_SPREAD:
        return delay
    return delay + min(_SPREAD * delay, _MOST_SPREAD) * _share_of(delivery_id, attempts)


def _share_of(delivery_id: UUID, attempts: int) -> float:
    """A number from 0 to 1, evenly distributed over deliveries and attempts."""
    digest = hashlib.blake2b(delivery_id.bytes + bytes([attempts]), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64
