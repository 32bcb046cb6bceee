"""The bytes of documents in a folder."""

import asyncio
import logging
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from serve_app.domain import errors

T = TypeVar("T")

_KEY = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")

log = logging.getLogger(__name__)


class FolderFiles:
    """Files below `root`, which is created where it is missing. A key outside of letters, digits, `_`, `-` and
    single slashes is a ValueError, so no key leaves the folder."""

    def __init__(self, root: Path) -> None:
        self._root = root
        _make_folder(root)

    async def write(self, key: str, data: bytes) -> None:
        path = self._path(key)
        await _off_loop(lambda: _write(path, data))

    async def read(self, key: str) -> bytes:
        return await _off_loop(self._path(key).read_bytes)

    async def delete(self, key: str) -> None:
        path = self._path(key)
        await _off_loop(lambda: path.unlink(missing_ok=True))

    def _path(self, key: str) -> Path:
        if _KEY.fullmatch(key) is None:
            raise ValueError("not a file key")
        return self._root / key


async def _off_loop(work: Callable[[], T]) -> T:
    try:
        # Shielded: a caller that goes away leaves a whole file or none, never work half done.
        return await asyncio.shield(asyncio.to_thread(work))
    except FileNotFoundError:
        raise
    except OSError as error:
        log.error("files out of reach: %s", error)
        raise errors.service_unavailable() from error


def _write(path: Path, data: bytes) -> None:
    """All or nothing, also when the machine loses power: write aside, sync, rename, sync the folder."""
    _make_folder(path.parent)
    # No key has a dot, so a left-over of a crash can never be taken for a document.
    aside = path.with_name(f"{path.name}.{uuid4().hex}.part")
    try:
        with aside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except BaseException:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _make_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
