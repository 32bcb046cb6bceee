"""A reader that is started by root goes on as a user of its own, who owns nothing but the reader's folder."""

import os
import resource
from collections.abc import Iterable
from pathlib import Path

from serve_app.documents.isolation import kernel

# Of those that systemd gives to services that have no user of their own: nobody's files belong to them.
_FIRST_USER, _USERS = 61184, 4336
_MAX_PROCESSES = 1024
"""With threads; of this user, so that no other program is counted."""
_MAY_READ_AND_SEARCH = 1 << 2
_OTHERS_READ, _OTHERS_SEARCH = 0o4, 0o1


def become_nobody(folder: Path, needed: Iterable[Path], files_are_confined: bool) -> None:
    """Become a user and group of this process's own, the owner of `folder`; no other process has the same but by rare
    chance.

    OSError where it cannot be done: where the kernel refuses, or others may not read all that is `needed`. Where
    Landlock says what is read (`files_are_confined`), the process keeps root's right to read that.
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
    # The kernel forgets it when a process changes its user.
    kernel.die_with_parent()
    resource.setrlimit(resource.RLIMIT_NPROC, (_MAX_PROCESSES, _MAX_PROCESSES))


def _is_open(path: Path) -> bool:
    """Whether everybody may read it and enter all folders above it."""
    needed = _OTHERS_READ | (_OTHERS_SEARCH if path.is_dir() else 0)
    above = path.resolve().parents
    return path.stat().st_mode & needed == needed and all(up.stat().st_mode & _OTHERS_SEARCH for up in above)
