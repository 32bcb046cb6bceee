"""A service with a reader process, run as a module with the arguments USER|root and with|without; outcomes as JSON.

It becomes that user (a number) first, and does without Landlock if told to.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.documents.limits import MIB, Limits
from serve_app.documents.options import ReadOptions, SandboxOptions
from tests.documents.isolation.escapes.no_landlock import take_landlock_away
from tests.documents.isolation.escapes.target import EscapeTarget
from tests.documents.isolation.escapes.worker import ATTEMPTS

_WORKER = "tests.documents.isolation.escapes.worker"


def main(user: str, landlock: str) -> None:
    if user != "root" and os.getuid() == 0:
        os.setgroups([])
        os.setgid(int(user))
        os.setuid(int(user))
        # Until it is a program of its own, the kernel guards it as one that was root.
        os.execv(sys.executable, [sys.executable, "-m", __spec__.name, user, landlock])  # noqa: S606
    os.umask(0o022)
    if landlock == "without":
        take_landlock_away()
    os.environ["SIGNING_KEY"] = "secret"
    with tempfile.TemporaryDirectory() as folder, _target(Path(folder)) as target:
        hidden = (target.data,)
        options = ReadOptions(Limits(max_memory_bytes=512 * MIB), sandbox=SandboxOptions(hidden=hidden))
        with closing(Supervisor(options, _WORKER)) as supervisor:
            json.dump({name: _outcome(supervisor, name, target) for name in ATTEMPTS}, sys.stdout)


def _outcome(supervisor: Supervisor, name: str, target: EscapeTarget) -> str:
    _lay_out(target)
    document = supervisor.read(json.dumps({"attempt": name, "target": asdict(target)}).encode())
    return document.pages[0].words[0].text.replace("_", " ")


def _lay_out(target: EscapeTarget) -> None:
    """As it was before any attempt."""
    with contextlib.suppress(FileNotFoundError):
        target.folder.chmod(0o700)
    (target.folder / "files").mkdir(parents=True, exist_ok=True)
    target.folder.chmod(0o700)
    for path in (target.key, target.database, target.folder / "service.env"):
        path.write_text("secret")
        path.chmod(0o600)
    Path(target.open_file).write_text("open")


@contextlib.contextmanager
def _target(folder: Path) -> Iterator[EscapeTarget]:
    # Everybody may come here, so that it is the reader's walls that count.
    folder.chmod(0o755)
    path, name = str(folder / "socket"), f"invoices-{os.getpid()}"
    sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as local,
        socket.socket(socket.AF_UNIX) as abstract,
        subprocess.Popen(sleep) as neighbour,
    ):
        local.bind(path)
        local.listen()
        abstract.bind("\0" + name)
        abstract.listen()
        try:
            port = server.getsockname()[1]
            yield EscapeTarget(str(folder / "data"), str(folder / "open"), os.getpid(), neighbour.pid, port, path, name)
        finally:
            neighbour.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
