"""Runs a program, and starts it again whenever it ends, until it is asked to stop.

A program that ends within SECONDS would only do so again: then this one ends, with its exit code.

Usage: python keep_running.py SECONDS PROGRAM [ARGUMENT...]
"""

import ctypes
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType

_PR_SET_PDEATHSIG = 1


class KeptRunning:
    """The program, and whether it is to stop."""

    def __init__(self, command: Sequence[str], soon_s: float) -> None:
        self._command = command
        self._soon_s = soon_s
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopping = False

    def run(self) -> int:
        """Returns its exit code once it has ended for good."""
        while True:
            began = time.monotonic()
            self._process = subprocess.Popen(self._command, preexec_fn=_die_with_parent)  # noqa: S603 - as given
            code = self._process.wait()
            if self._is_stopping or time.monotonic() - began < self._soon_s:
                return code if code >= 0 else 128 - code
            sys.stderr.write(f"{self._command[0]} ended with {code} and is restarted\n")

    def stop(self, signal_number: int, _: FrameType | None) -> None:
        """Pass a signal on; what ends then has ended for good."""
        self._is_stopping = True
        if self._process is not None:
            self._process.send_signal(signal_number)


def _die_with_parent() -> None:
    """Nothing is left behind, however this process ends."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    kept = KeptRunning(sys.argv[2:], soon_s=float(sys.argv[1]))
    signal.signal(signal.SIGTERM, kept.stop)
    sys.exit(kept.run())
