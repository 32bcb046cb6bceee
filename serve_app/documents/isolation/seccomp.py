"""A system call filter (seccomp, `man 2 seccomp`): calls that are not explicitly allowed do not reach the kernel."""

import ctypes
import errno
from collections.abc import Iterator

from serve_app.documents.isolation import kernel
from serve_app.documents.isolation.system_calls import FIRST_COMMON_NUMBER, Check

# By machine, linux/audit.h.
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# Classic BPF (linux/bpf_common.h): load a word; jump if equal, if greater or equal, if any bit is set; return.
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
# struct seccomp_data: the lower half of an argument (both machines are little-endian).
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _ARGUMENT_BYTES = 0, 4, 16, 8
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_REFUSE, _NOT_THERE = _ERROR | errno.EPERM, _ERROR | errno.ENOSYS
# Numbers from here on are the same calls under the x32 ABI; no other architecture uses them.
_X32 = 0x40000000

Line = tuple[int, int, int, int]


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("len", ctypes.c_uint16), ("filter", ctypes.POINTER(_Instruction)))


def allow_only(calls: dict[int, Check | None]) -> None:
    """Refuse all other calls in this thread and everything it starts, with EPERM, or ENOSYS for calls newer than
    Linux 5.1, which C libraries can do without. Raises OSError if that fails."""
    if kernel.machine() not in _ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no table of system calls for {kernel.machine()}")
    install(list(_lines(_ARCHITECTURES[kernel.machine()], calls)))


def install(lines: list[Line]) -> None:
    """Install a filter program for every later system call. Raises OSError if the kernel rejects it."""
    instructions = (_Instruction * len(lines))(*(_Instruction(*line) for line in lines))
    kernel.install_seccomp(_Program(len(lines), instructions))


def _lines(architecture: int, calls: dict[int, Check | None]) -> Iterator[Line]:
    yield _LOAD, 0, 0, _ARCHITECTURE
    yield _IF_EQUAL, 1, 0, architecture
    yield _RETURN, 0, 0, _KILL
    yield _LOAD, 0, 0, _NUMBER
    yield _IF_AT_LEAST, 0, 1, _X32
    yield _RETURN, 0, 0, _REFUSE
    for number, check in calls.items():
        verdict = [(_RETURN, 0, 0, _ALLOW)] if check is None else list(_checking(check))
        yield _IF_EQUAL, 0, len(verdict), number
        yield from verdict
    yield _IF_AT_LEAST, 0, 1, FIRST_COMMON_NUMBER
    yield _RETURN, 0, 0, _NOT_THERE
    yield _RETURN, 0, 0, _REFUSE


def _checking(check: Check) -> Iterator[Line]:
    yield _LOAD, 0, 0, _FIRST_ARGUMENT + _ARGUMENT_BYTES * check.argument
    if check.none_of_bits:
        yield _IF_ANY_BIT, 1, 0, check.none_of_bits
        yield _RETURN, 0, 0, _ALLOW
    for value in check.one_of:
        yield _IF_EQUAL, 0, 1, value
        yield _RETURN, 0, 0, _ALLOW
    yield _RETURN, 0, 0, _REFUSE
