"""Linux system calls that Python does not wrap."""

import ctypes
import os
import platform

_libc = ctypes.CDLL(None, use_errno=True)

_PR_SET_PDEATHSIG = 1
_PR_SET_KEEPCAPS = 8
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522
_SIGKILL = 9


def machine() -> str:
    """The machine type as printed by `uname -m`."""
    return platform.machine()


def syscall(number: int, *arguments: object) -> int:
    """Make a system call by number; OSError if it fails."""
    return _checked(_libc.syscall(number, *arguments))


def die_with_parent() -> None:
    """Be killed when the thread that started this process ends."""
    _checked(_libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0))


def gain_no_privileges() -> None:
    """From now on, no started program gets more rights than this one (set-user-id bits have no effect)."""
    _checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))


def install_seccomp(program: ctypes.Structure) -> None:
    """Filter (`struct sock_fprog`) every later system call of this thread and of everything it starts."""
    _checked(_libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0))


def keep_capabilities() -> None:
    """Let this thread keep its capabilities when it stops being root; `keep_only` then says which."""
    _checked(_libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0))


def keep_only(capabilities: int) -> None:
    """Drop root's capabilities, except those whose bits are set."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    # Effective, permitted, inheritable: the lower 32 of each, then the upper.
    _checked(_libc.capset(header, (ctypes.c_uint32 * 6)(capabilities, capabilities)))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
