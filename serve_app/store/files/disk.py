"""Files that survive a power loss: complete or absent, and permanently gone once deleted."""

import os
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from serve_app.system.private_folders import sync_folder

PARTS = ".parts"
"""Where files are written before they are moved into place. No key contains a dot, so this can never be mistaken for a
document."""
# Written and synced at a time: while a disk has 20 MB to write at once, commits of the database wait.
_PIECE_BYTES = 2**20
_LEFT_OVER_SECONDS = 3600.0
_MOVES = 5


def write_file(root: Path, key: str, data: bytes) -> None:
    """All or nothing: write a temporary file, sync, rename, sync the folders. Raises OSError if the disk refuses.

    Never creates the root itself: a missing root is a volume that is not mounted, and files written in its place would
    be hidden once it is mounted again.
    """
    aside = root / PARTS / f"{uuid4().hex}.part"
    try:
        _write_synced(aside, data)
        _move(aside, root, key)
    except BaseException:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise
    # Up to the root: another write may have created the folder and not have synced it yet.
    for folder in _folders(root, key):
        sync_folder(folder)


def delete_file(root: Path, key: str) -> None:
    """Remove the file, and its folder if that is empty then; no-op if there is no file. Raises OSError if the root is
    missing."""
    check_root(root)
    folder = (root / key).parent
    (root / key).unlink(missing_ok=True)
    # Even if there was no file: an earlier deletion may have crashed before its sync.
    with suppress(FileNotFoundError):
        sync_folder(folder)
    if folder != root:
        with suppress(OSError):
            folder.rmdir()


def list_files(root: Path, folder: str) -> list[str]:
    """The keys of the files below a folder. Raises OSError if the root is missing."""
    check_root(root)
    return [str(Path(path, name).relative_to(root)) for path, _, names in os.walk(root / folder) for name in names]


def versions_in(root: Path, folder: str) -> list[tuple[str, str]]:
    """The keys of the files below a folder, or of the one file of this name, each with a text that changes with the
    file. Raises OSError if the root is missing."""
    found = []
    for key in [folder] if (root / folder).is_file() else list_files(root, folder):
        # It may be deleted meanwhile.
        with suppress(FileNotFoundError):
            status = (root / key).stat()
            found.append((key, f"{status.st_mtime_ns}-{status.st_ino}-{status.st_size}"))
    return found


def list_folders(root: Path) -> list[str]:
    """What lies directly in the root, without what is being written and the lock: no key contains a dot. Raises OSError
    if the root is missing."""
    return sorted(path.name for path in root.iterdir() if "." not in path.name)


def check_root(root: Path) -> None:
    """Raises OSError if the root is missing: a file that seems to be missing below it may exist."""
    (root / PARTS).stat()


def sweep_parts(root: Path) -> int:
    """Remove temporary files that were written over an hour ago and never moved into place; returns how many."""
    before = time.time() - _LEFT_OVER_SECONDS
    return sum(_remove_older(path, before) for path in (root / PARTS).glob("*.part"))


def _remove_older(path: Path, before: float) -> bool:
    try:
        if path.stat().st_mtime >= before:
            return False
        path.unlink()
    except FileNotFoundError:
        # Another process is sweeping at the same time.
        return False
    return True


def _write_synced(path: Path, data: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        for start in range(0, len(data), _PIECE_BYTES):
            file.write(data[start : start + _PIECE_BYTES])
            file.flush()
            if start + _PIECE_BYTES < len(data):
                os.fdatasync(file.fileno())
        os.fsync(file.fileno())


def _move(source: Path, root: Path, key: str) -> None:
    """A deletion may remove the empty folder between any two steps; it is then created again."""
    for _ in range(_MOVES):
        with suppress(FileNotFoundError):
            # From the top down, without the root, which is the last in the list.
            for folder in reversed(_folders(root, key)[:-1]):
                # `exist_ok` raises if the folder is gone when it looks what is there.
                with suppress(FileExistsError):
                    folder.mkdir(mode=0o700)
            source.replace(root / key)
            return
    raise FileNotFoundError(f"the folder of {key} keeps disappearing")


def _folders(root: Path, key: str) -> list[Path]:
    """The folders from the file's own up to the root."""
    return [root / parent for parent in Path(key).parents]
