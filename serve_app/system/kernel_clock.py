"""Whether this machine's clock is kept right (NTP), as the kernel knows it."""

import ctypes
from enum import StrEnum

_NOT_SYNCHRONISED = 5
"""What adjtimex answers about a clock that nothing keeps right."""
_TIMEX_BYTES = 512


class ClockState(StrEnum):
    KEPT = "kept"
    ALONE = "alone"
    """Nothing keeps it right."""
    UNKNOWN = "unknown"


def clock_state() -> ClockState:
    """What the kernel says; nothing is changed."""
    answer = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
    if answer == _NOT_SYNCHRONISED:
        return ClockState.ALONE
    return ClockState.UNKNOWN if answer < 0 else ClockState.KEPT
