"""A process in a session and a folder of its own, knowing nothing of its parent's environment."""

import logging
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

from serve_app.documents.isolation.folders import make_folder
from serve_app.documents.isolation.messages import Trouble

logger = logging.getLogger(__name__)

_SETTLE_SECONDS = 2.0
_ABORTS = (-signal.SIGABRT, -signal.SIGTRAP, -signal.SIGILL, -signal.SIGSEGV)
_PROJECT = Path(__file__).parents[3]
# All that a reader may know of its parent's environment: no keys, no addresses.
_PASSED_ON = (
    "PATH", "LD_LIBRARY_PATH", "TZ", "TESSDATA_PREFIX", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "MALLOC_ARENA_MAX",
    "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES",
)  # fmt: skip

# Where the parent says nothing else: each thread and each heap takes address space, and there may be a hundred cores.
_FRUGAL = {"OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}


@dataclass(frozen=True, slots=True)
class Death:
    """How a process ended: exit status, or the signal's number below zero, and the most memory that it had in use, 0
    where that is not known."""

    status: int
    peak_bytes: int

    def cause(self, max_memory_bytes: int) -> Trouble:
        """Of a process that nobody here killed, but maybe the kernel."""
        if self.status == -signal.SIGXCPU:
            return Trouble.TIME
        # Native code aborts when it gets no more memory. It asks for twice what it has, so the limit is never reached.
        by_abort = self.status in _ABORTS and self.peak_bytes > max_memory_bytes / 2
        return Trouble.MEMORY if by_abort or self.status == -signal.SIGKILL else Trouble.CRASH


class Process:
    """Runs a module with one end of a socket pair as its argument; `channel_end` is the other.

    `kill` may come from any thread. It dies when the thread ends that made it, if it asks for that itself.
    """

    def __init__(self, module: str) -> None:
        self._folder = make_folder()
        self._guard = threading.Lock()
        self._death: Death | None = None
        # The kernel counts what the parent had in use before the child became a program of its own.
        self._inherited_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.channel_end, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = _launch(module, theirs.fileno(), self._folder.name)
        except OSError:
            self.channel_end.close()
            self._folder.cleanup()
            raise
        self._chatter: deque[bytes] = deque(maxlen=4)
        self._drain = threading.Thread(target=_keep_last, args=(self._process.stdout, self._chatter), daemon=True)
        self._drain.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def size(self) -> int:
        """Address space in bytes; 0 when it is gone."""
        try:
            return int(psutil.Process(self.pid).memory_info().vms)
        except psutil.Error:
            return 0

    @property
    def is_alive(self) -> bool:
        return self._death is None and os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def kill(self) -> None:
        """Kill it and all that it started."""
        with self._guard:
            # Its number is its own until it is reaped.
            if self._death is None:
                os.killpg(self.pid, signal.SIGKILL)

    def reap(self) -> Death:
        """Kill it, if need be, and tell how it ended."""
        self.kill()
        with self._guard:
            if self._death is None:
                _, status, used = os.wait4(self.pid, 0)
                self._process.returncode = os.waitstatus_to_exitcode(status)
                peak = used.ru_maxrss if used.ru_maxrss > self._inherited_peak else 0
                self._death = Death(self._process.returncode, peak * 1024)
        return self._death

    def wait(self) -> Death | None:
        """How it ended by itself, a moment from now at most; None when it has not."""
        end = time.monotonic() + _SETTLE_SECONDS
        while self.is_alive:
            if time.monotonic() > end:
                return None
            time.sleep(0.005)
        return self.reap()

    def close(self) -> None:
        """Kill it, and remove its folder with all that it wrote."""
        self.reap()
        self.channel_end.close()
        self._drain.join(_SETTLE_SECONDS)
        self._folder.cleanup()
        if self._chatter:
            logger.debug("a reader process said: %s", b"".join(self._chatter)[-2000:].decode(errors="replace"))


def _launch(module: str, end: int, folder: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-s", "-P", "-m", module, str(end)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=[end],
        cwd=folder,
        env=_environment(folder),
        start_new_session=True,
    )


def _environment(folder: str) -> dict[str, str]:
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    python = {"PYTHONPATH": str(_PROJECT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}
    return _FRUGAL | passed | {"HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"} | python


def _keep_last(stream: IO[bytes], chatter: "deque[bytes]") -> None:
    """Read what the process says, so that it never waits, and keep a little of the end."""
    with stream:
        while chunk := os.read(stream.fileno(), 4096):
            chatter.append(chunk)
