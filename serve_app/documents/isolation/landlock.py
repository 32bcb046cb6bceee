"""Restrict the files that a process may touch (Landlock, `man 7 landlock`)."""

import ctypes
import os
from dataclasses import dataclass
from pathlib import Path

from serve_app.documents.isolation import kernel

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1

# linux/landlock.h: rights to files, and what each ABI version added.
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_FIRST_RIGHTS = (1 << 13) - 1
_REFER, _TRUNCATE, _DEVICE_CONTROL = 1 << 13, 1 << 14, 1 << 15
_READ = _READ_FILE | _READ_DIR
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _DEVICE_CONTROL
_BIND_AND_CONNECT_TCP = 0b11
_FOREIGN_SOCKETS_AND_SIGNALS = 0b11


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Rule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("folder", ctypes.c_int32))


@dataclass(frozen=True, slots=True)
class Reach:
    """The reachable part of the file system: folders with everything below them, and single files."""

    readable: tuple[Path, ...]
    programs: tuple[Path, ...]
    """Readable and executable."""
    devices: tuple[Path, ...]
    writable: Path


def confine_files(reach: Reach) -> None:
    """Touch nothing outside `reach`.

    This also removes the right to inspect outside processes and, on newer kernels, to signal them. Applies to this
    thread and everything it starts. Raises OSError if the kernel does not support it.
    """
    version = kernel.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)
    newer = (_REFER, 2), (_TRUNCATE, 3), (_DEVICE_CONTROL, 5)
    every = _FIRST_RIGHTS | sum(right for right, since in newer if version >= since)
    ruleset = _create(version, every)
    try:
        for path in reach.readable:
            _allow(ruleset, path, _READ)
        for path in reach.programs:
            _allow(ruleset, path, _READ | _EXECUTE)
        for path in reach.devices:
            _allow(ruleset, path, (_READ | _WRITE_FILE | _TRUNCATE | _DEVICE_CONTROL) & every)
        # Nothing that a document left there may be executed.
        _allow(ruleset, reach.writable, every & ~(_EXECUTE | _DEVICE_CONTROL))
        kernel.syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _create(version: int, every: int) -> int:
    rights = _Ruleset(every, _BIND_AND_CONNECT_TCP, _FOREIGN_SOCKETS_AND_SIGNALS)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    return kernel.syscall(_CREATE_RULESET, ctypes.byref(rights), ctypes.c_size_t(size), 0)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    """Add a rule; skip a path that does not exist."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rule = _Rule(rights if path.is_dir() else rights & _OF_A_FILE, place)
        kernel.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(place)
