"""Attempts on other processes, by signals and otherwise, and on what it inherited."""

import ctypes
import fcntl
import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path

from tests.documents.isolation.escapes.calls import call
from tests.documents.isolation.escapes.target import EscapeTarget

# A harmless one.
_SIGNAL = signal.SIGCONT
_ATTACH = 16
# The standard ones, and the channel to its parent.
_INHERITED = 4
# A pipe for its outcome.
_OF_THE_ATTEMPT = 2
_KNOWN = frozenset(
    [
        "PATH",
        "HOME",
        "TMPDIR",
        "LANG",
        "LC_CTYPE",
        "TZ",
        "LD_LIBRARY_PATH",
        "TESSDATA_PREFIX",
        "OMP_NUM_THREADS",
        "OMP_THREAD_LIMIT",
        "MALLOC_ARENA_MAX",
        "ONEDNN_PRIMITIVE_CACHE_CAPACITY",
        "CUDA_VISIBLE_DEVICES",
        "NVIDIA_VISIBLE_DEVICES",
        "NVIDIA_DRIVER_CAPABILITIES",
    ]
)


class Nothing(Exception):
    """There was nothing to take."""


def _memory(target: EscapeTarget) -> None:
    with open(f"/proc/{target.parent}/mem", "rb"):
        pass


def _read_memory(target: EscapeTarget) -> None:
    call("process_vm_readv", target.parent, None, 0, None, 0, 0)


def _signal_by_descriptor(target: EscapeTarget) -> None:
    call("pidfd_send_signal", call("pidfd_open", target.parent, 0), int(_SIGNAL), None, 0)


def _take_descriptor(target: EscapeTarget) -> None:
    call("pidfd_getfd", call("pidfd_open", target.parent, 0), 0, 0)


def _queue_signal(target: EscapeTarget) -> None:
    call("rt_sigqueueinfo", target.parent, int(_SIGNAL), (ctypes.c_int * 32)(_SIGNAL, 0, -1))


def _lend_a_pipe(target: EscapeTarget) -> None:
    """Have the kernel send the signal as soon as there is something to read."""
    reading, _ = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, target.parent)


def _secrets_in_environment(target: EscapeTarget) -> None:
    if all(name in _KNOWN or name.startswith("PYTHON") for name in os.environ):
        raise Nothing


def _inherited(target: EscapeTarget) -> None:
    if sum(_is_open(number) for number in range(1024)) <= _INHERITED + _OF_THE_ATTEMPT:
        raise Nothing


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _raise_limit(which: int) -> Callable[[EscapeTarget], None]:
    def attempt(target: EscapeTarget) -> None:
        soft, hard = resource.getrlimit(which)
        resource.setrlimit(which, (soft * 2, hard * 2))

    return attempt


def _allow_itself_more_time(target: EscapeTarget) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (10**6, hard))


ATTEMPTS: dict[str, Callable[[EscapeTarget], object]] = {
    "read the environment of the parent": lambda target: Path(f"/proc/{target.parent}/environ").read_bytes(),
    "read the environment of another process": lambda target: Path(f"/proc/{target.neighbour}/environ").read_bytes(),
    "read the command line of the parent": lambda target: Path(f"/proc/{target.parent}/cmdline").read_bytes(),
    "list the parent's open files": lambda target: os.listdir(f"/proc/{target.parent}/fd"),
    "open the memory of the parent": _memory,
    "read the memory of the parent (`process_vm_readv`)": _read_memory,
    "attach to the parent (`ptrace`)": lambda target: call("ptrace", _ATTACH, target.neighbour, 0, 0),
    "take an open file of the parent (`pidfd_getfd`)": _take_descriptor,
    "compare with the parent (`kcmp`)": lambda target: call("kcmp", target.parent, target.parent, 1, 0, 0),
    "lower the parent's limits (`prlimit`)": lambda target: resource.prlimit(
        target.neighbour, resource.RLIMIT_CORE, (0, 0)
    ),
    "tie the parent to a core": lambda target: os.sched_setaffinity(target.neighbour, {0}),
    "slow the parent down (`setpriority`)": lambda target: os.setpriority(os.PRIO_PROCESS, target.neighbour, 19),
    "move the parent's memory": lambda target: call("migrate_pages", target.neighbour, 0, None, None),
    "signal the parent": lambda target: os.kill(target.parent, _SIGNAL),
    "signal another process of the user": lambda target: os.kill(target.neighbour, _SIGNAL),
    "signal all processes": lambda _: os.kill(-1, 0),
    "signal a thread of the parent (`tgkill`)": lambda target: call(
        "tgkill", target.parent, target.parent, int(_SIGNAL)
    ),
    "signal the parent by `pidfd_send_signal`": _signal_by_descriptor,
    "signal the parent by `rt_sigqueueinfo`": _queue_signal,
    "have a pipe signal the parent (`F_SETOWN`)": _lend_a_pipe,
    "leave the session": lambda _: os.setsid(),
    "leave the process group": lambda _: os.setpgid(0, 0),
    "find secrets in its environment": _secrets_in_environment,
    "find open files of the parent": _inherited,
    "raise the limit of memory": _raise_limit(resource.RLIMIT_AS),
    "raise the limit of open files": _raise_limit(resource.RLIMIT_NOFILE),
    "raise the limit of a file's size": _raise_limit(resource.RLIMIT_FSIZE),
    "raise the limit of processor time": _allow_itself_more_time,
}
