"""Files that survive a loss of power: whole or not there, and gone for good once they are deleted."""

import os
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

PARTS = ".parts"
"""Where files are written before they take their place. No key has a dot, so it can never be taken for a document."""
_LEFT_OVER_SECONDS = 3600.0
_MOVES = 5


def write_file(root: Path, key: str, data: bytes) -> None:
    """All or nothing: write aside, sync, rename, sync the folders. OSError where the disk does not let it.

    The root itself is never made here: one that is missing is a volume that is not there, and files written in its
    place would be hidden once it is back.
    """
    aside = root / PARTS / f"{uuid4().hex}.part"
    try:
        _write_synced(aside, data)
        _move(aside, root, key)
    except BaseException:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise
    # Up to the root: the folder may have been made by another write, which has not synced it yet.
    for folder in _folders(root, key):
        _sync_folder(folder)


def delete_file(root: Path, key: str) -> None:
    """Remove the file, and its folder where nothing else is in it; no error where there is none. OSError where the
    root is not there."""
    check_root(root)
    folder = (root / key).parent
    (root / key).unlink(missing_ok=True)
    # Not only where there was a file: an earlier deletion may have crashed before its sync.
    with suppress(FileNotFoundError):
        _sync_folder(folder)
    if folder != root:
        with suppress(OSError):
            folder.rmdir()


def check_root(root: Path) -> None:
    """OSError where the root is gone: what is missing below it may be there in truth."""
    (root / PARTS).stat()


def sweep_parts(root: Path) -> int:
    """Remove files that were written aside over an hour ago and never took their place; returns how many."""
    before = time.time() - _LEFT_OVER_SECONDS
    return sum(_remove_older(path, before) for path in (root / PARTS).glob("*.part"))


def make_folder(folder: Path) -> None:
    """Make the folder with those above it where they are missing, durably."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    _sync_folder(folder.parent)


def _remove_older(path: Path, before: float) -> bool:
    try:
        if path.stat().st_mtime >= before:
            return False
        path.unlink()
    except FileNotFoundError:
        # Another process sweeps, too.
        return False
    return True


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _move(source: Path, root: Path, key: str) -> None:
    """A deletion may remove the empty folder between the two steps: then it is made again."""
    for _ in range(_MOVES):
        # From the top down; the last of them is the root.
        for folder in reversed(_folders(root, key)[:-1]):
            folder.mkdir(exist_ok=True)
        with suppress(FileNotFoundError):
            source.replace(root / key)
            return
    raise FileNotFoundError(f"the folder of {key} vanishes again and again")


def _folders(root: Path, key: str) -> list[Path]:
    """The folders from the file's own up to the root."""
    return [root / parent for parent in Path(key).parents]


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
