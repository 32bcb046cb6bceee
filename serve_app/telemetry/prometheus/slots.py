"""Numbered places for the files of a machine's processes.

A process holds the lowest free number for as long as it lives, by a lock on a file, which the system releases however
it ends. The next holder continues its counters, so they never fall, and there are never more files than there were
processes at one time.
"""

import fcntl
import os
from itertools import count
from pathlib import Path


def take_slot(folder: Path) -> int:
    """The number that this process holds from now on. What the last holder set its gauges to is forgotten."""
    for number in count():
        if (descriptor := _locked(folder, number)) is not None:
            os.set_inheritable(descriptor, False)
            _forget_gauges(folder, number)
            # Never closed: the lock is this process's until it ends.
            return number
    raise AssertionError("an infinite number")


def forget_the_dead(folder: Path) -> None:
    """Remove the gauges of processes that have ended."""
    for lock in folder.glob("*.lock"):
        number = int(lock.stem)
        if any(folder.glob(f"gauge_*_{number}.db")) and (descriptor := _locked(folder, number)) is not None:
            try:
                _forget_gauges(folder, number)
            finally:
                os.close(descriptor)


def _locked(folder: Path, number: int) -> int | None:
    descriptor = os.open(folder / f"{number}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _forget_gauges(folder: Path, number: int) -> None:
    for file in folder.glob(f"gauge_*_{number}.db"):
        file.unlink(missing_ok=True)
