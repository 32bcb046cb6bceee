"""The bytes of documents in a folder."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from serve_app.domain.errors import StoreUnreachable
from serve_app.store.base.files import StoredFile
from serve_app.store.files.disk import (
    PARTS,
    check_root,
    delete_file,
    list_files,
    list_folders,
    sweep_parts,
    versions_in,
    write_file,
)
from serve_app.store.files.keys import check_key
from serve_app.system.private_folders import close_to_others, make_private_folder
from serve_app.system.thread_pools import FILES

T = TypeVar("T")

log = logging.getLogger(__name__)


class FolderFiles:
    """Files below `root`, which is created if it is missing when the store is opened, and which only its owner may
    enter. Several machines may share the folder. A root that disappears later counts as unreachable until it is back.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        make_private_folder(root / PARTS)
        close_to_others(root)

    async def write(self, key: str, data: bytes) -> None:
        check_key(key)
        await _off_loop(lambda: write_file(self._root, key, data))

    async def read(self, key: str) -> bytes:
        check_key(key)
        data = await _off_loop(lambda: _read(self._root, key))
        if data is None:
            raise FileNotFoundError(f"there is no file {key}")
        return data

    async def delete(self, key: str) -> None:
        check_key(key)
        await _off_loop(lambda: delete_file(self._root, key))

    async def keys_in(self, folder: str) -> list[str]:
        check_key(folder)
        return await _off_loop(lambda: list_files(self._root, folder))

    async def list_all(self) -> AsyncIterator[StoredFile]:
        for folder in await _off_loop(lambda: list_folders(self._root)):
            # Folder by folder, so that not all names are held at once.
            for key, version in await _off_loop(partial(versions_in, self._root, folder)):
                yield StoredFile(key, version)

    async def tidy(self) -> int:
        """Remove what crashes during a write left behind; returns how many files."""
        return await _off_loop(lambda: sweep_parts(self._root))

    async def close(self) -> None:
        """Nothing is held open."""


def _read(root: Path, key: str) -> bytes | None:
    try:
        return (root / key).read_bytes()
    except FileNotFoundError:
        check_root(root)
        return None


async def _off_loop(work: Callable[[], T]) -> T:
    try:
        # Shielded: a cancelled caller leaves a whole file or none, never half-done work.
        return await asyncio.shield(FILES.run(work))
    except OSError as error:
        log.error("files out of reach: %s", error)
        raise StoreUnreachable from error
