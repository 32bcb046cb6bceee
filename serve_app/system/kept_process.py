"""A child process that is started again whenever it ends."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

Process = subprocess.Popen[bytes]


class KeptProcess:
    """In the place of a `Popen`: whoever asks whether the child has ended starts it again if it has.

    A child that ended within `soon_s` would only do so again: it has ended, as has one that was asked to stop.
    Nothing stands between the child and its parent, so nothing else can be lost.
    """

    def __init__(self, process: Process, start: Callable[[], Process], soon_s: float) -> None:
        self._process = process
        self._start = start
        self._soon_s = soon_s
        self._began = time.monotonic()
        self._is_stopping = False

    def poll(self) -> int | None:
        """The exit code of a child that has ended and is not started again; otherwise None."""
        code = self._process.poll()
        if code is None or self._is_stopping or time.monotonic() - self._began < self._soon_s:
            return code
        sys.stderr.write(f"{_name_of(self._process)} ended with {code} and is restarted\n")
        self._process, self._began = self._start(), time.monotonic()
        return None

    def terminate(self) -> None:
        """Ask the child to stop."""
        self._is_stopping = True
        self._process.terminate()

    def kill(self) -> None:
        """End the child."""
        self._is_stopping = True
        self._process.kill()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._process, name)


def _name_of(process: Process) -> str:
    arguments: Any = process.args
    return str(arguments if isinstance(arguments, str) else arguments[0])
