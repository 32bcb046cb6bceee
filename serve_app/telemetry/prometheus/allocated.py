"""The library's files of numbers, with all of their blocks on the disk before anything is written into them."""

import mmap
import os
from contextlib import suppress

from prometheus_client import mmap_dict, values

_FIRST_BYTES = 1 << 16


class AllocatedFile(mmap_dict.MmapedDict):
    """The library only sets the length of its files, and maps them into memory. Writing into such a hole when the disk
    is full ends the process by SIGBUS. Raises OSError instead, before anything is changed."""

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        if not read_mode:
            _allocate(filename)
        super().__init__(filename, read_mode)  # type: ignore[no-untyped-call]

    def _init_value(self, key: str) -> None:
        # An entry is its key, less than 8 bytes of padding, its length and two numbers.
        while self._used + len(key.encode()) + 28 > self._capacity:
            self._grow()
        super()._init_value(key)  # type: ignore[no-untyped-call]

    def _grow(self) -> None:
        os.posix_fallocate(self._f.fileno(), 0, 2 * self._capacity)
        self._m = mmap.mmap(self._f.fileno(), 2 * self._capacity)
        self._capacity *= 2


def use_allocated_files() -> None:
    """From now on the library makes such files in this process."""
    values.MmapedDict = AllocatedFile  # type: ignore[attr-defined]


def _allocate(filename: str) -> None:
    """Fill the holes of a file, which is created if it is missing; a new one that gets no blocks is removed again."""
    descriptor = os.open(filename, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        before = os.fstat(descriptor).st_size
        try:
            os.posix_fallocate(descriptor, 0, max(_FIRST_BYTES, before))
        except OSError:
            if before == 0:
                with suppress(OSError):
                    os.unlink(filename)
            raise
    finally:
        os.close(descriptor)
