"""Folders with data of the service, which only its own user may enter."""

import os
import stat
from contextlib import suppress
from pathlib import Path

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_private_folder(folder: Path) -> None:
    """Create the folder and its missing parents, durably, each for its owner only. A folder that exists keeps its mode:
    it may hold other things as well. Raises OSError if that is impossible."""
    if folder.is_dir():
        return
    make_private_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_folder(folder.parent)


def close_to_others(path: Path) -> None:
    """Take away all rights of group and others. What another user owns, such as a mounted secret, and what all users
    share, such as /tmp, keeps its mode."""
    status = path.stat()
    if status.st_uid == os.geteuid() and status.st_mode & _OTHERS and not status.st_mode & stat.S_ISVTX:
        # A file system that is read-only, or that has no modes, refuses.
        with suppress(OSError):
            path.chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS)


def sync_folder(folder: Path) -> None:
    """Sync the folder's entries to disk, so that they survive a power loss."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
