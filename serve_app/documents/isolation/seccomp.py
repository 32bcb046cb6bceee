"""A filter of system calls (seccomp, `man 2 seccomp`): no sockets, no way out of the process group, no prying."""

import ctypes
import errno

from serve_app.documents.isolation import kernel

# Audit architecture (linux/audit.h), then the place of a number in each row below.
_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_REFUSED = {
    "socket": (41, 198),
    # Its rings make sockets, too, past any filter.
    "io_uring_setup": (425, 425),
    # The parent kills the group: nobody leaves it.
    "setsid": (112, 157),
    "setpgid": (109, 154),
    # Other processes' memory.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    # Parts of the kernel that a reader has no use for and that have often been a way in.
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "keyctl": (250, 219),
}

# Classic BPF (linux/bpf_common.h): load a word, jump if equal, jump if greater or equal, return.
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET = 0, 4
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM
# Numbers from here on are the same calls under another name (x32); no other architecture has any.
_X32 = 0x40000000


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("len", ctypes.c_uint16), ("filter", ctypes.POINTER(_Instruction)))


def refuse_system_calls() -> None:
    """Answer EPERM to the calls above, in this thread and all that it starts. OSError where it cannot be done."""
    if kernel.machine() not in _ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no table of system calls for {kernel.machine()}")
    architecture, column = _ARCHITECTURES[kernel.machine()]
    instructions = _instructions(architecture, sorted(numbers[column] for numbers in _REFUSED.values()))
    kernel.install_seccomp(_Program(len(instructions), instructions))


def _instructions(architecture: int, numbers: list[int]) -> "ctypes.Array[_Instruction]":
    lines = [
        (_LOAD, 0, 0, _ARCHITECTURE_OFFSET),
        (_IF_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_OFFSET),
        (_IF_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _REFUSE),
    ]
    for number in numbers:
        lines += [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    lines.append((_RETURN, 0, 0, _ALLOW))
    return (_Instruction * len(lines))(*(_Instruction(*line) for line in lines))
