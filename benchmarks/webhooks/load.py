"""How busy the machine is with other things."""

import os


def load() -> str:
    """The load average of the last minute, for the reader of a figure."""
    return f"load {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores"
