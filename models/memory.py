"""The memory that batches of a model take, measured."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import psutil

CPU_TOKENS = 2_048
"""A larger batch is no faster on a CPU."""

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
_RESET_PEAK = "5"
_CGROUP = Path("/sys/fs/cgroup")


class Memory(Protocol):
    """Memory of a device. All sizes are in bytes."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def most_tokens(self) -> int:
        """Larger batches are of no use there."""
        ...

    def room(self) -> int:
        """How much more this process may take."""
        ...

    def peak(self, work: Callable[[], object]) -> int:
        """The most that this process held at a time while the work was done. Raises MemoryError if the work does, or
        if that cannot be known."""
        ...


class HostMemory:
    """The machine's own memory, or what a container has of it."""

    name = "main memory"
    most_tokens = CPU_TOKENS

    def room(self) -> int:
        return min(psutil.virtual_memory().available, _room_of_container(_CGROUP))

    def peak(self, work: Callable[[], object]) -> int:
        try:
            _CLEAR.write_text(_RESET_PEAK)
        except OSError as error:
            raise MemoryError("the system does not measure the memory of this process") from error
        work()
        line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024


def _room_of_container(folder: Path) -> int:
    """Under version 2 of control groups; without a limit, more than any machine has."""
    with suppress(OSError, ValueError):
        limit, used = (int((folder / f"memory.{name}").read_text()) for name in ("max", "current"))
        return max(0, limit - used)
    return 2**63
