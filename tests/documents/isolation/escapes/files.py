"""Attempts on files."""

import ctypes
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.documents.isolation.escapes.calls import call
from tests.documents.isolation.escapes.target import EscapeTarget

_HERE = -100
_SERVE_APP = Path(__file__).parents[3] / "serve_app"


def _through_a_link(target: EscapeTarget) -> None:
    os.symlink(target.key, "innocent")
    Path("innocent").read_bytes()


def _start_what_it_wrote(target: EscapeTarget) -> None:
    descriptor = os.open("tool", os.O_CREAT | os.O_WRONLY, 0o755)
    os.write(descriptor, Path("/usr/bin/pdftoppm").read_bytes())
    os.close(descriptor)
    _start("./tool", "-v")


def _start(*words: str) -> None:
    os.posix_spawn(words[0], words, {})


def _start_from_memory(target: EscapeTarget) -> None:
    descriptor = call("memfd_create", b"tool", 0)
    os.write(descriptor, Path("/usr/bin/pdftoppm").read_bytes())
    call("execveat", descriptor, b"", None, None, 0x1000)


def _handle(target: EscapeTarget) -> None:
    handle = (ctypes.c_uint32 * 34)(128)
    call("name_to_handle_at", _HERE, bytes(target.database), handle, ctypes.byref(ctypes.c_int()), 0)


def _watch(target: EscapeTarget) -> None:
    call("inotify_init1", 0)


ATTEMPTS: dict[str, Callable[[EscapeTarget], object]] = {
    "read the signing key": lambda target: target.key.read_bytes(),
    "read the environment file": lambda target: (target.folder / "service.env").read_bytes(),
    "read the database": lambda target: target.database.read_bytes(),
    "list the data folder": lambda target: os.listdir(target.folder),
    "list the documents": lambda target: os.listdir(target.folder / "files"),
    "read the key through a symbolic link": _through_a_link,
    "read a file that is open to everybody": lambda target: Path(target.open_file).read_bytes(),
    "read `/etc/passwd`": lambda _: Path("/etc/passwd").read_bytes(),
    "read `/etc/shadow`": lambda _: Path("/etc/shadow").read_bytes(),
    "overwrite the database": lambda target: target.database.write_bytes(b""),
    "cut the database short (`truncate`)": lambda target: os.truncate(target.database, 0),
    "delete the database": lambda target: os.unlink(target.database),
    "rename the key": lambda target: os.rename(target.key, target.folder / "other"),
    "put a file into the data folder": lambda target: (target.folder / "new").write_bytes(b""),
    "link the key into its own folder": lambda target: os.link(target.key, "key"),
    "write to the temporary folder": lambda _: tempfile.NamedTemporaryFile(dir="..").close(),
    "change the service's programs": lambda _: (_SERVE_APP / "escaped.py").write_bytes(b""),
    "start a program that it wrote": _start_what_it_wrote,
    "start a shell": lambda _: _start("/bin/sh", "-c", "true"),
    "start a program from memory (`memfd_create`)": _start_from_memory,
    "open by handle": _handle,
    "watch folders (`inotify`)": _watch,
    "open the key to everybody (`chmod`)": lambda target: os.chmod(target.key, 0o666),  # noqa: S103
    "the same by `fchmodat2`": lambda target: call("fchmodat2", _HERE, bytes(target.key), 0o666, 0),
    "close the data folder (`chmod 000`)": lambda target: os.chmod(target.folder, 0),
    "change the mode of its own file": lambda _: os.chmod(_own_file(), 0o4777),  # noqa: S103
    "give the key away (`chown`)": lambda target: os.chown(target.key, os.getuid(), os.getgid()),
    "change the database's time": lambda target: os.utime(target.database),
    "set an attribute of the database": lambda target: os.setxattr(target.database, "user.escaped", b"1"),
    "make a device": lambda _: os.mknod("disk", stat.S_IFBLK | 0o666, os.makedev(8, 0)),
    "make a named pipe": lambda _: os.mkfifo("pipe"),
}


def _own_file() -> str:
    Path("own").write_bytes(b"")
    return "own"
