"""The folder that a reader process works in."""

import os
import shutil
import tempfile
from pathlib import Path

_PREFIX = "invoice-reader-"


def make_folder() -> "tempfile.TemporaryDirectory[str]":
    """An empty folder, named after this process; removed by `cleanup` or when the program ends."""
    return tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-", ignore_cleanup_errors=True)


def remove_left_behind() -> None:
    """Remove the folders of programs that were killed before they could do so."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).split("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():
            shutil.rmtree(folder, ignore_errors=True)
