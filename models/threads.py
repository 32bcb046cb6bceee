"""How many threads a network may use."""

import os


def thread_count() -> int:
    """What Ray gives to a replica (`OMP_NUM_THREADS`), else all processors that this process may use."""
    given = os.environ.get("OMP_NUM_THREADS", "")
    return int(given) if given.isdecimal() and int(given) > 0 else len(os.sched_getaffinity(0))
