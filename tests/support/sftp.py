"""An SFTP server of this process, for the files of one folder."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import paramiko
from paramiko.common import AUTH_FAILED, AUTH_SUCCESSFUL, OPEN_SUCCEEDED
from paramiko.sftp import SFTP_FAILURE, SFTP_OK

from serve_app.watched.sftp_place import SftpAccess, SftpPlace

USER, PASSWORD = "scanner", "a password of tests"


@dataclass(frozen=True)
class SftpServer:
    """Its root is `folder`; `access` signs in."""

    folder: Path
    port: int
    access: SftpAccess

    @property
    def place(self) -> SftpPlace:
        return SftpPlace("127.0.0.1", self.port, USER, "/in")


@contextmanager
def sftp_server(folder: Path) -> Iterator[SftpServer]:
    """A server whose key is known and whose `/in` exists."""
    (folder / "root/in").mkdir(parents=True)
    key = paramiko.ECDSAKey.generate()
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    known_hosts = folder / "known_hosts"
    known_hosts.write_text(f"[127.0.0.1]:{port} {key.get_name()} {key.get_base64()}\n")
    transports: list[paramiko.Transport] = []
    thread = threading.Thread(target=_serve, args=(listener, key, folder / "root", transports), daemon=True)
    thread.start()
    try:
        yield SftpServer(folder / "root", port, SftpAccess(None, PASSWORD, known_hosts))
    finally:
        # Wakes the thread that accepts.
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)
        for transport in transports:
            transport.close()
            transport.join(10)


def _serve(listener: socket.socket, key: paramiko.PKey, root: Path, transports: list[paramiko.Transport]) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        transport = paramiko.Transport(connection)
        transports.append(transport)
        transport.add_server_key(key)
        transport.set_subsystem_handler("sftp", paramiko.SFTPServer, _Files, root)
        # A client that leaves at once is no error of the test.
        with suppress(OSError, paramiko.SSHException, EOFError):
            transport.start_server(server=_SignIn())


class _SignIn(paramiko.ServerInterface):
    def get_allowed_auths(self, username: str) -> str:
        return "password"

    def check_auth_password(self, username: str, password: str) -> int:
        return AUTH_SUCCESSFUL if (username, password) == (USER, PASSWORD) else AUTH_FAILED

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return OPEN_SUCCEEDED


class _File(paramiko.SFTPHandle):
    def __init__(self, flags: int, file: IO[bytes]) -> None:
        super().__init__(flags)
        # Names that the library reads from and writes to.
        self.readfile = self.writefile = file

    def stat(self) -> paramiko.SFTPAttributes:
        return paramiko.SFTPAttributes.from_stat(os.fstat(self.readfile.fileno()))


class _Files(paramiko.SFTPServerInterface):
    """As OpenSSH's server: a rename replaces nothing."""

    def __init__(self, server: paramiko.ServerInterface, root: Path) -> None:
        super().__init__(server)
        self._root = root

    def _at(self, path: str) -> Path:
        return self._root / path.lstrip("/")

    def list_folder(self, path: str) -> list[paramiko.SFTPAttributes] | int:
        try:
            found = list(os.scandir(self._at(path)))
            return [paramiko.SFTPAttributes.from_stat(each.stat(follow_symlinks=False), each.name) for each in found]
        except OSError as error:
            return _code(error)

    def stat(self, path: str) -> paramiko.SFTPAttributes | int:
        try:
            return paramiko.SFTPAttributes.from_stat(self._at(path).stat())
        except OSError as error:
            return _code(error)

    def lstat(self, path: str) -> paramiko.SFTPAttributes | int:
        try:
            return paramiko.SFTPAttributes.from_stat(self._at(path).lstat())
        except OSError as error:
            return _code(error)

    def open(self, path: str, flags: int, attr: paramiko.SFTPAttributes) -> paramiko.SFTPHandle | int:
        try:
            file = os.fdopen(os.open(self._at(path), flags, 0o600), "wb" if flags & os.O_WRONLY else "rb")
        except OSError as error:
            return _code(error)
        return _File(flags, file)

    def remove(self, path: str) -> int:
        return _tried(lambda: self._at(path).unlink())

    def rename(self, oldpath: str, newpath: str) -> int:
        if os.path.lexists(self._at(newpath)):
            return SFTP_FAILURE
        return _tried(lambda: self._at(oldpath).rename(self._at(newpath)))

    def mkdir(self, path: str, attr: paramiko.SFTPAttributes) -> int:
        return _tried(lambda: self._at(path).mkdir())


def _tried(work: Callable[[], object]) -> int:
    try:
        work()
    except OSError as error:
        return _code(error)
    return SFTP_OK


def _code(error: OSError) -> int:
    return paramiko.SFTPServer.convert_errno(error.errno or 0)
