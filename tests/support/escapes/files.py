"""Attempts on files."""

import ctypes
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.support.escapes.calls import call
from tests.support.escapes.prey import Prey

_HERE = -100
_SERVE_APP = Path(__file__).parents[3] / "serve_app"


def _through_a_link(prey: Prey) -> None:
    os.symlink(prey.key, "innocent")
    Path("innocent").read_bytes()


def _start_what_it_wrote(prey: Prey) -> None:
    descriptor = os.open("tool", os.O_CREAT | os.O_WRONLY, 0o755)
    os.write(descriptor, Path("/usr/bin/pdftoppm").read_bytes())
    os.close(descriptor)
    _start("./tool", "-v")


def _start(*words: str) -> None:
    os.posix_spawn(words[0], words, {})


def _start_from_memory(prey: Prey) -> None:
    descriptor = call("memfd_create", b"tool", 0)
    os.write(descriptor, Path("/usr/bin/pdftoppm").read_bytes())
    call("execveat", descriptor, b"", None, None, 0x1000)


def _handle(prey: Prey) -> None:
    handle = (ctypes.c_uint32 * 34)(128)
    call("name_to_handle_at", _HERE, bytes(prey.database), handle, ctypes.byref(ctypes.c_int()), 0)


def _watch(prey: Prey) -> None:
    call("inotify_init1", 0)


ATTEMPTS: dict[str, Callable[[Prey], object]] = {
    "read the signing key": lambda prey: prey.key.read_bytes(),
    "read the environment file": lambda prey: (prey.folder / "service.env").read_bytes(),
    "read the database": lambda prey: prey.database.read_bytes(),
    "list the data folder": lambda prey: os.listdir(prey.folder),
    "list the documents": lambda prey: os.listdir(prey.folder / "files"),
    "read the key through a symbolic link": _through_a_link,
    "read a file that is open to everybody": lambda prey: Path(prey.open_file).read_bytes(),
    "read `/etc/passwd`": lambda _: Path("/etc/passwd").read_bytes(),
    "read `/etc/shadow`": lambda _: Path("/etc/shadow").read_bytes(),
    "overwrite the database": lambda prey: prey.database.write_bytes(b""),
    "cut the database short (`truncate`)": lambda prey: os.truncate(prey.database, 0),
    "delete the database": lambda prey: os.unlink(prey.database),
    "rename the key": lambda prey: os.rename(prey.key, prey.folder / "other"),
    "put a file into the data folder": lambda prey: (prey.folder / "new").write_bytes(b""),
    "link the key into its own folder": lambda prey: os.link(prey.key, "key"),
    "write to the temporary folder": lambda _: tempfile.NamedTemporaryFile(dir="..").close(),
    "change the service's programs": lambda _: (_SERVE_APP / "escaped.py").write_bytes(b""),
    "start a program that it wrote": _start_what_it_wrote,
    "start a shell": lambda _: _start("/bin/sh", "-c", "true"),
    "start a program from memory (`memfd_create`)": _start_from_memory,
    "open by handle": _handle,
    "watch folders (`inotify`)": _watch,
    "open the key to everybody (`chmod`)": lambda prey: os.chmod(prey.key, 0o666),  # noqa: S103
    "the same by `fchmodat2`": lambda prey: call("fchmodat2", _HERE, bytes(prey.key), 0o666, 0),
    "close the data folder (`chmod 000`)": lambda prey: os.chmod(prey.folder, 0),
    "change the mode of its own file": lambda _: os.chmod(_own_file(), 0o4777),  # noqa: S103
    "give the key away (`chown`)": lambda prey: os.chown(prey.key, os.getuid(), os.getgid()),
    "change the database's time": lambda prey: os.utime(prey.database),
    "set an attribute of the database": lambda prey: os.setxattr(prey.database, "user.escaped", b"1"),
    "make a device": lambda _: os.mknod("disk", stat.S_IFBLK | 0o666, os.makedev(8, 0)),
    "make a named pipe": lambda _: os.mkfifo("pipe"),
}


def _own_file() -> str:
    Path("own").write_bytes(b"")
    return "own"
