"""A reader started by root switches to its own user, who owns nothing but the reader's folder."""

import os
import resource
from collections.abc import Iterable
from pathlib import Path

from serve_app.documents.isolation import kernel

# From the range that systemd uses for services with dynamic users: they own no files.
_FIRST_USER, _USERS = 61184, 4336
_MAX_PROCESSES = 1024
"""Including threads; of this user alone, so no other program is counted."""
_MAY_READ_AND_SEARCH = 1 << 2
_OTHERS_READ, _OTHERS_SEARCH = 0o4, 0o1


def become_nobody(folder: Path, needed: Iterable[Path], files_are_confined: bool) -> None:
    """Switch to a user and group that only this process has (a clash is very unlikely), the owner of `folder`.

    Raises OSError if the kernel refuses, or other users may not read all of `needed`. If Landlock confines what is read
    (`files_are_confined`), the process keeps root's right to read.
    """
    user = _FIRST_USER + os.getpid() % _USERS
    closed = next((path for path in needed if not _is_open(path)), None)
    if not _is_open(folder.parent):
        raise PermissionError(f"{folder.parent} is closed to other users")
    if closed and not files_are_confined:
        raise PermissionError(f"{closed} is closed to other users")
    os.chown(folder, user, user)
    if closed:
        kernel.keep_capabilities()
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    kernel.keep_only(_MAY_READ_AND_SEARCH if closed else 0)
    # The kernel resets it when a process changes its user.
    kernel.die_with_parent()
    resource.setrlimit(resource.RLIMIT_NPROC, (_MAX_PROCESSES, _MAX_PROCESSES))


def _is_open(path: Path) -> bool:
    """Whether everyone may read it and enter all folders above it."""
    needed = _OTHERS_READ | (_OTHERS_SEARCH if path.is_dir() else 0)
    above = path.resolve().parents
    return path.stat().st_mode & needed == needed and all(up.stat().st_mode & _OTHERS_SEARCH for up in above)
