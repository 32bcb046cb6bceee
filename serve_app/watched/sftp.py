"""A watched folder on an SFTP server.

The server decides what its paths mean. What it lists as a symbolic link is not followed; links that are exchanged later
lead only to what the user of the URL can read there.
"""

import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

import paramiko

from serve_app.services.watching.ports import (
    Destination,
    FileChanged,
    FileUnreadable,
    FolderEntry,
    FolderProblem,
)
from serve_app.services.watching.report import HEAD_BYTES
from serve_app.watched.names import REPORT, free_name, is_ignored
from serve_app.watched.sftp_place import SftpAccess, SftpPlace

MAX_DEPTH = 32
SECONDS = 20.0
"""Limit for connecting, and for each answer."""


class SftpFolder:
    """A connection that lasts until an error. Files are renamed by the server, which does not replace others."""

    def __init__(self, place: SftpPlace, client: paramiko.SSHClient, sftp: paramiko.SFTPClient) -> None:
        self._place = place
        self._client = client
        self._sftp = sftp
        self.problem = ""

    @classmethod
    def open(cls, place: SftpPlace, access: SftpAccess) -> "SftpFolder":
        """Connect and sign in. Raises FolderProblem."""
        client = paramiko.SSHClient()
        client.set_missing_host_key_policy(paramiko.RejectPolicy())
        with _errors(place):
            try:
                _load_known_hosts(client, access)
                client.connect(
                    place.host,
                    place.port,
                    place.user,
                    access.password,
                    key_filename=None if access.key_file is None else str(access.key_file),
                    allow_agent=False,
                    look_for_keys=False,
                    timeout=SECONDS,
                    banner_timeout=SECONDS,
                    auth_timeout=SECONDS,
                )
                sftp = client.open_sftp()
                channel = sftp.get_channel()
                if channel is not None:
                    channel.settimeout(SECONDS)
            except BaseException:
                client.close()
                raise
        return cls(place, client, sftp)

    def prepare(self) -> None:
        with _errors(self._place):
            # A missing folder is a disk of the server that is not mounted.
            self._sftp.stat(self._path(""))
            for destination in Destination:
                if not self._create(self._path(destination)):
                    raise FolderProblem(f"{self._place.url}: {destination} is not a folder.")
                name = self._path(f"{destination}/.{secrets.token_hex(8)}.tmp")
                self._sftp.open(name, "wx").close()
                self._sftp.remove(name)

    def entries(self) -> Iterator[FolderEntry]:
        self.problem = ""
        with _errors(self._place):
            yield from self._below("", MAX_DEPTH)

    def read(self, entry: FolderEntry, max_bytes: int) -> bytes:
        with _errors(self._place):
            self._check(entry)
            try:
                with _gone_as_changed(), self._sftp.open(self._path(entry.path), "rb") as file:
                    if entry.size:
                        file.prefetch(entry.size)
                    data = file.read(max_bytes + 1)
            except PermissionError as error:
                raise FileUnreadable("Permission denied") from error
            self._check(entry)
        if len(data) != entry.size or entry.size > max_bytes:
            raise FileChanged
        return data

    def move(self, entry: FolderEntry, destination: Destination, content: str, report: bytes) -> None:
        with _errors(self._place):
            self._check(entry)
            folder = self._target(entry, destination)
            name = free_name(entry.name, content, partial(self._head, folder), partial(self._exists, folder))
            self._write(f"{folder}/{name}{REPORT}", report)
            self._check(entry)
            # A file of an earlier try has the same content.
            with suppress(FileNotFoundError):
                self._sftp.remove(f"{folder}/{name}")
            with _gone_as_changed():
                self._sftp.rename(self._path(entry.path), f"{folder}/{name}")

    def put(self, name: str, data: bytes) -> None:
        with _errors(self._place):
            self._write(self._path(name), data)

    def close(self) -> None:
        self._client.close()

    def _below(self, folder: str, depth: int) -> Iterator[FolderEntry]:
        subfolders = []
        for each in self._sftp.listdir_iter(self._path(folder)):
            path, mode = f"{folder}{each.filename}", each.st_mode or 0
            if is_ignored(path):
                continue
            if stat.S_ISDIR(mode):
                subfolders.append(path)
            elif stat.S_ISREG(mode) or stat.S_ISLNK(mode):
                yield _entry(path, each)
        for path in subfolders:
            yield from self._subfolder_entries(path, depth - 1)

    def _subfolder_entries(self, path: str, depth: int) -> Iterator[FolderEntry]:
        if depth == 0:
            self.problem = f"The subfolder {path} cannot be read: it is more than {MAX_DEPTH} levels deep."
            return
        try:
            yield from self._below(f"{path}/", depth)
        except FileNotFoundError:
            return
        except PermissionError:
            self.problem = f"The subfolder {path} cannot be read: Permission denied."

    def _check(self, entry: FolderEntry) -> None:
        with _gone_as_changed():
            found = self._sftp.lstat(self._path(entry.path))
        if _entry(entry.path, found).version != entry.version:
            raise FileChanged

    def _target(self, entry: FolderEntry, destination: Destination) -> str:
        """The folder of the same path in the destination; the destination itself if a file has the name of that
        folder."""
        top = folder = self._path(destination)
        for name in entry.path.split("/")[:-1]:
            folder = f"{folder}/{name}"
            if not self._create(folder):
                return top
        return folder

    def _create(self, folder: str) -> bool:
        """False if a file has this name."""
        try:
            self._sftp.mkdir(folder)
        except OSError as error:
            # Servers name no reason for a folder that exists.
            with suppress(FileNotFoundError):
                return stat.S_ISDIR(self._sftp.lstat(folder).st_mode or 0)
            raise error
        return True

    def _write(self, path: str, data: bytes) -> None:
        """All or nothing."""
        folder, _, _ = path.rpartition("/")
        temporary = f"{folder}/.{secrets.token_hex(8)}.tmp"
        try:
            with self._sftp.open(temporary, "wx") as file:
                file.write(data)
            with suppress(FileNotFoundError):
                self._sftp.remove(path)
            self._sftp.rename(temporary, path)
        except BaseException:
            with suppress(OSError, paramiko.SSHException):
                self._sftp.remove(temporary)
            raise

    def _head(self, folder: str, name: str) -> bytes:
        with suppress(FileNotFoundError), self._sftp.open(f"{folder}/{name}", "rb") as file:
            return file.read(HEAD_BYTES)
        return b""

    def _exists(self, folder: str, name: str) -> bool:
        with suppress(FileNotFoundError):
            self._sftp.lstat(f"{folder}/{name}")
            return True
        return False

    def _path(self, path: str) -> str:
        return f"{self._place.path.rstrip('/')}/{path}".rstrip("/") or "/"


def _load_known_hosts(client: paramiko.SSHClient, access: SftpAccess) -> None:
    if access.known_hosts is None:
        client.load_system_host_keys()
    else:
        client.load_host_keys(str(access.known_hosts))


def _entry(path: str, found: paramiko.SFTPAttributes) -> FolderEntry:
    mode, size = found.st_mode or 0, found.st_size or 0
    return FolderEntry(path, size, f"{size}-{found.st_mtime}-{mode}", stat.S_ISLNK(mode))


@contextmanager
def _gone_as_changed() -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise FileChanged from error


@contextmanager
def _errors(place: SftpPlace) -> Iterator[None]:
    try:
        yield
    except paramiko.AuthenticationException as error:
        raise FolderProblem(f"{place.url}: the server refuses the key or the password.") from error
    except (OSError, EOFError, UnicodeError, paramiko.SSHException) as error:
        raise FolderProblem(f"{place.url}: {_reason(error)}.") from error


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeError):
        return "the name of a file is not UTF-8"
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
