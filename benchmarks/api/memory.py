"""What processes hold for themselves."""

import threading
from typing import Self

import psutil

_LOOK_SECONDS = 0.02


def titled(*titles: str) -> list[psutil.Process]:
    """The processes below this one that have any of these in their command line."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            command = " ".join(process.cmdline())
        except psutil.NoSuchProcess:
            continue
        if any(title in command for title in titles):
            found.append(process)
    return found


def private_bytes(process: psutil.Process) -> int:
    """Resident memory that it does not share with others: Ray's store of objects is left out."""
    found = process.memory_info()
    return int(found.rss - found.shared)


class Peak:
    """Watches processes while the block runs."""

    def __init__(self, processes: list[psutil.Process]) -> None:
        self._watched = processes
        self._done = threading.Event()
        self._before = self._held()
        self._peak = self._before
        self._watch = threading.Thread(target=self._look)

    @property
    def growth(self) -> int:
        """Bytes that the one that grew most held more than before, at any time."""
        return max(peak - before for peak, before in zip(self._peak, self._before, strict=True))

    def __enter__(self) -> Self:
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._watch.join()

    def _look(self) -> None:
        while not self._done.wait(_LOOK_SECONDS):
            self._peak = [max(pair) for pair in zip(self._peak, self._held(), strict=True)]

    def _held(self) -> list[int]:
        return [private_bytes(process) for process in self._watched]
