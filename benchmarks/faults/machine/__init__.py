"""Faults of the machine that the service runs on, each on a service of its own."""

from collections.abc import Callable, Coroutine
from pathlib import Path

from benchmarks.faults.lines import Line
from benchmarks.faults.machine.clock import clock, clock_ahead, clock_kill
from benchmarks.faults.machine.disk_full import disk_full
from benchmarks.faults.machine.locked import locked
from benchmarks.faults.machine.site import Skipped
from benchmarks.faults.machine.stuck import stuck
from benchmarks.faults.machine.under_load import descriptors, frozen, keys, reader_killed
from benchmarks.faults.machine.unreachable import blocked, moved

FAULTS: dict[str, Callable[[Path], Coroutine[None, None, list[Line]]]] = {
    "disk-full": disk_full,
    "locked": locked,
    "files-blocked": blocked,
    "files-moved": moved,
    "descriptors": descriptors,
    "frozen": frozen,
    "keys": keys,
    "reader-killed": reader_killed,
    "stuck": stuck,
    "clock": clock,
    "clock-ahead": clock_ahead,
    "clock-kill": clock_kill,
}

ON_REQUEST = frozenset({"clock-kill"})
"""Only on request: Ray Serve itself does not survive it."""

__all__ = ["FAULTS", "ON_REQUEST", "Skipped"]
