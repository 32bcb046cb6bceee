"""A process in its own session and folder, without its parent's environment."""

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
from serve_app.documents.isolation.messages import LossCause

logger = logging.getLogger(__name__)

_SETTLE_SECONDS = 2.0
_ABORTS = (-signal.SIGABRT, -signal.SIGTRAP, -signal.SIGILL, -signal.SIGSEGV)
_PROJECT = Path(__file__).parents[3]
# The only environment variables that a reader inherits: no keys, no addresses.
_PASSED_ON = (
    "PATH", "LD_LIBRARY_PATH", "TZ", "TESSDATA_PREFIX", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "MALLOC_ARENA_MAX",
    "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES",
)  # fmt: skip

# Unless the parent sets them: each thread and heap takes address space, and there may be a hundred cores. oneDNN would
# keep a thousand compiled layers besides those that OpenVINO keeps.
_SMALL_FOOTPRINT = {"OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2", "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "0"}


@dataclass(frozen=True, slots=True)
class Death:
    """How a process ended: exit status, or the negated signal number, and its peak memory use, 0 if unknown."""

    status: int
    peak_bytes: int

    def cause(self, max_memory_bytes: int) -> LossCause:
        """For a process that was not killed here, but perhaps by the kernel."""
        if self.status == -signal.SIGXCPU:
            return LossCause.TIME
        # Native code aborts when it gets no more memory. It asks for twice what it has, so the limit is never reached.
        by_abort = self.status in _ABORTS and self.peak_bytes > max_memory_bytes / 2
        return LossCause.MEMORY if by_abort or self.status == -signal.SIGKILL else LossCause.CRASH


class Process:
    """Runs a module with one end of a socket pair as its argument; `channel_end` is the other end.

    `kill` may be called from any thread. The process dies with the thread that created it if it asks for that itself.
    """

    def __init__(self, module: str) -> None:
        self._folder = make_folder()
        self._guard = threading.Lock()
        self._death: Death | None = None
        # Before exec, the kernel counts the parent's memory as the child's.
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
        """Address space in bytes; 0 if the process is gone."""
        try:
            return int(psutil.Process(self.pid).memory_info().vms)
        except psutil.Error:
            return 0

    @property
    def is_alive(self) -> bool:
        return self._death is None and os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def kill(self) -> None:
        """Kill it and everything it started."""
        with self._guard:
            # Its pid is not reused until it is reaped.
            if self._death is None:
                os.killpg(self.pid, signal.SIGKILL)

    def reap(self) -> Death:
        """Kill it if need be, and return how it ended."""
        self.kill()
        with self._guard:
            if self._death is None:
                _, status, used = os.wait4(self.pid, 0)
                self._process.returncode = os.waitstatus_to_exitcode(status)
                peak = used.ru_maxrss if used.ru_maxrss > self._inherited_peak else 0
                self._death = Death(self._process.returncode, peak * 1024)
        return self._death

    def wait(self) -> Death | None:
        """How it ended by itself, waiting a moment; None if it has not ended."""
        end = time.monotonic() + _SETTLE_SECONDS
        while self.is_alive:
            if time.monotonic() > end:
                return None
            time.sleep(0.005)
        return self.reap()

    def close(self) -> None:
        """Kill it and remove its folder with everything it wrote."""
        self.reap()
        self.channel_end.close()
        self._drain.join(_SETTLE_SECONDS)
        self._folder.cleanup()
        if self._chatter:
            logger.debug("output of a reader process: %s", b"".join(self._chatter)[-2000:].decode(errors="replace"))


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
    return _SMALL_FOOTPRINT | passed | {"HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"} | python


def _keep_last(stream: IO[bytes], chatter: "deque[bytes]") -> None:
    """Drain the process's output so that it never blocks, keeping the last part."""
    with stream:
        while chunk := os.read(stream.fileno(), 4096):
            chatter.append(chunk)
