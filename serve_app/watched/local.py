"""A watched folder on a disk of this machine.

Each path is opened part by part without following symbolic links, so that nobody who can write to the folder makes the
service read or move a file outside it.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from serve_app.services.watching.ports import (
    Destination,
    FileChanged,
    FileUnreadable,
    FolderEntry,
    FolderProblem,
)
from serve_app.services.watching.report import HEAD_BYTES
from serve_app.watched.names import REPORT, free_name, is_ignored, with_mark

MAX_DEPTH = 32
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_PASSED = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""For folders on the way, which need not be readable."""
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_GONE = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}
_CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF}
_UNREADABLE = {errno.EACCES, errno.EPERM, errno.EIO}
"""A file with a damaged block does not stop the folder."""


class LocalFolder:
    """A folder that exists. It is opened again by every call: another disk may be mounted there meanwhile."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.problem = ""

    def prepare(self) -> None:
        with self._opened() as root:
            for destination in Destination:
                with _subfolder(root, [destination], create=True) as folder:
                    name = f".{secrets.token_hex(8)}.tmp"
                    os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder))
                    os.unlink(name, dir_fd=folder)

    def entries(self) -> Iterator[FolderEntry]:
        self.problem = ""
        with self._opened() as root:
            yield from self._below(root, "", MAX_DEPTH)

    def read(self, entry: FolderEntry, max_bytes: int) -> bytes:
        with self._opened() as root, _source(root, entry) as folder:
            try:
                with _gone_as_changed(), open(os.open(entry.name, _FILE, dir_fd=folder), "rb") as file:
                    _check(os.fstat(file.fileno()), entry)
                    data = file.read(max_bytes + 1)
                    _check(os.fstat(file.fileno()), entry)
            except OSError as error:
                if error.errno in _UNREADABLE:
                    raise FileUnreadable(error.strerror) from error
                raise
        if len(data) != entry.size or entry.size > max_bytes:
            raise FileChanged
        return data

    def move(self, entry: FolderEntry, destination: Destination, content: str, report: bytes) -> None:
        with self._opened() as root, _source(root, entry) as folder:
            with _gone_as_changed():
                _check(os.stat(entry.name, dir_fd=folder, follow_symlinks=False), entry)
            with _target(root, entry, destination) as target:
                name = free_name(entry.name, content, partial(_head, target), partial(_exists, target))
                _write(target, f"{name}{REPORT}", report)
                with _gone_as_changed():
                    os.rename(entry.name, name, src_dir_fd=folder, dst_dir_fd=target)
                _sync(target)
                _sync(folder)
                if not _is_same(os.stat(name, dir_fd=target, follow_symlinks=False), entry):
                    # It was replaced in the moment before.
                    back = with_mark(entry.name, secrets.token_hex(4))
                    os.rename(name, back, src_dir_fd=target, dst_dir_fd=folder)
                    raise FileChanged

    def put(self, name: str, data: bytes) -> None:
        with self._opened() as root:
            _write(root, name, data)

    def close(self) -> None:
        """Nothing is kept open."""

    def _below(self, folder: int, prefix: str, depth: int) -> Iterator[FolderEntry]:
        subfolders = []
        with os.scandir(folder) as found:
            for each in found:
                path = prefix + each.name
                if is_ignored(path):
                    continue
                if each.is_dir(follow_symlinks=False):
                    subfolders.append(each.name)
                elif each.is_symlink() or each.is_file(follow_symlinks=False):
                    # It may be gone by now.
                    with suppress(FileNotFoundError):
                        yield _entry(path, each.stat(follow_symlinks=False))
        for name in subfolders:
            yield from self._subfolder_entries(folder, name, prefix + name, depth - 1)

    def _subfolder_entries(self, folder: int, name: str, path: str, depth: int) -> Iterator[FolderEntry]:
        try:
            if depth == 0:
                raise OSError(errno.ENAMETOOLONG, f"it is more than {MAX_DEPTH} levels deep")
            below = os.open(name, _FOLDER, dir_fd=folder)
        except OSError as error:
            if error.errno not in _GONE:
                self.problem = f"The subfolder {_shown(path)} cannot be read: {error.strerror}."
            return
        try:
            yield from self._below(below, f"{path}/", depth)
        finally:
            os.close(below)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """The folder; errors of the file system become FolderProblem."""
        try:
            root = _open_root(self._root)
            try:
                yield root
            finally:
                os.close(root)
        except OSError as error:
            raise FolderProblem(f"{_shown(str(self._root))}: {error.strerror}.") from error


def _open_root(path: Path) -> int:
    """The folder at an absolute path, in which nobody may put a link since it was added."""
    folder = os.open("/", _PASSED)
    try:
        for name in path.parts[1:-1]:
            below = os.open(name, _PASSED, dir_fd=folder)
            os.close(folder)
            folder = below
        return os.open(path.name or ".", _FOLDER, dir_fd=folder)
    finally:
        os.close(folder)


@contextmanager
def _subfolder(root: int, names: list[str], *, create: bool = False) -> Iterator[int]:
    folder = os.dup(root)
    try:
        for name in names:
            if create:
                _create(folder, name)
            below = os.open(name, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        yield folder
    finally:
        os.close(folder)


def _create(folder: int, name: str) -> None:
    with suppress(FileExistsError):
        os.mkdir(name, dir_fd=folder)
        _sync(folder)


@contextmanager
def _source(root: int, entry: FolderEntry) -> Iterator[int]:
    """The folder of the file."""
    with ExitStack() as stack:
        with _gone_as_changed():
            folder = stack.enter_context(_subfolder(root, entry.path.split("/")[:-1]))
        yield folder


@contextmanager
def _target(root: int, entry: FolderEntry, destination: Destination) -> Iterator[int]:
    """The folder of the same path in the destination; the destination itself if a file has the name of that folder."""
    with _subfolder(root, [destination], create=True) as target, ExitStack() as stack:
        with suppress(NotADirectoryError):
            target = stack.enter_context(_subfolder(target, entry.path.split("/")[:-1], create=True))
        yield target


@contextmanager
def _gone_as_changed() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _GONE:
            raise FileChanged from error
        raise


def _entry(path: str, status: os.stat_result) -> FolderEntry:
    return FolderEntry(path, status.st_size, _version(status), stat.S_ISLNK(status.st_mode))


def _version(status: os.stat_result) -> str:
    return f"{status.st_ino}-{status.st_size}-{status.st_mtime_ns}-{status.st_ctime_ns}"


def _check(status: os.stat_result, entry: FolderEntry) -> None:
    if _version(status) != entry.version:
        raise FileChanged


def _is_same(status: os.stat_result, entry: FolderEntry) -> bool:
    """Whether it is the listed file after a rename, which changes the last time."""
    return _version(status).rpartition("-")[0] == entry.version.rpartition("-")[0]


def _exists(folder: int, name: str) -> bool:
    with suppress(FileNotFoundError):
        os.stat(name, dir_fd=folder, follow_symlinks=False)
        return True
    return False


def _head(folder: int, name: str) -> bytes:
    """The start of a file; empty if it cannot be read."""
    with suppress(OSError), open(os.open(name, _FILE, dir_fd=folder), "rb") as file:
        return file.read(HEAD_BYTES)
    return b""


def _write(folder: int, name: str, data: bytes) -> None:
    """All or nothing, and durable before the file is moved."""
    temporary = f".{secrets.token_hex(8)}.tmp"
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=folder), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    _sync(folder)


def _sync(folder: int) -> None:
    """Make the entries of a folder durable. Some file systems of other machines cannot."""
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise


def _shown(path: str) -> str:
    """A path for people and the store, which holds UTF-8 only."""
    return path.encode("utf-8", "replace").decode()
