"""Free space of the disks on which folders lie."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

RESERVE_BYTES = 50_000_000
"""Below this, the service takes no further documents to be on the safe side: those in progress write, too."""


def free_bytes(folder: Path) -> int:
    """Raises OSError if the folder is not there."""
    return shutil.disk_usage(folder).free


def check_room(folders: Iterable[Path]) -> None:
    """Raises OSError for the first folder that is gone or not writable, or whose disk has no more than the reserve."""
    for folder in folders:
        if (free := free_bytes(folder)) < RESERVE_BYTES:
            raise OSError(f"only {free // 10**6} MB are free in {folder}")
        if not os.access(folder, os.W_OK):
            raise OSError(f"{folder} cannot be written")
