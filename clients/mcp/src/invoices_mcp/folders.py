"""Which files of this machine an agent may send."""

import os
import stat
from collections.abc import Collection, Iterable
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from mcp.server.mcpserver.exceptions import ToolError

_LARGEST = 100 * 2**20
_CHUNK = 2**20


def read_allowed(path: str, folders: Collection[Path], roots: Collection[Path]) -> tuple[bytes, str]:
    """The bytes and the name of a file within the operator's `folders` and the client's `roots`, where there are any.

    Links are followed before the folders are compared, so that none leads out of them.
    """
    limits = [limit for limit in (folders, roots) if limit]
    if not limits:
        raise ToolError(
            "No folder is allowed. The operator allows folders with --folder, or the client names its roots."
        )
    found = _resolved(path, limits[0])
    if found is None or not all(_is_within(found, limit) for limit in limits):
        raise ToolError("No such file in an allowed folder.")
    return _read(found), found.name


def paths_of(uris: Iterable[str]) -> list[Path]:
    """The folders that file URIs name."""
    return [Path(local_path(uri)) for uri in uris if uri.startswith("file:")]


def local_path(path: str) -> str:
    """A path, also of a file URI."""
    return url2pathname(urlsplit(path).path) if path.startswith("file:") else path


def _resolved(path: str, folders: Collection[Path]) -> Path | None:
    """An existing file; a relative path is looked for in each folder."""
    given = Path(local_path(path)).expanduser()
    for place in [given] if given.is_absolute() else [folder / given for folder in folders]:
        try:
            return place.resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            continue
    return None


def _is_within(path: Path, folders: Collection[Path]) -> bool:
    """Not if it is hidden there: such files are programs' settings and keys."""
    for folder in folders:
        try:
            inner = path.relative_to(folder.expanduser().resolve())
        except (ValueError, OSError, RuntimeError):
            continue
        if not any(part.startswith(".") for part in inner.parts):
            return True
    return False


def _read(path: Path) -> bytes:
    """The bytes of a regular file: no device, and no link that was put in its place meanwhile."""
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        raise ToolError("The file cannot be read.") from None
    with os.fdopen(file, "rb") as opened:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise ToolError("This is not a file.")
        data = opened.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ToolError("The file is too large.")
    return data
