"""The allocator of this process; only glibc's can be asked."""

import ctypes
from contextlib import suppress

_M_ARENA_MAX = -8


def trim_heap() -> None:
    """Make the allocator return freed memory to the system."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def limit_arenas(count: int) -> None:
    """Let threads share so many arenas, as MALLOC_ARENA_MAX does for a process that starts."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").mallopt(_M_ARENA_MAX, count)
