"""A server of MongoDB's protocol, installed into `build/` and started for as long as it is needed.

It is under the GPL and has an environment of its own: nothing of it is imported here.
"""

import socket
import subprocess
import tempfile
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pymongo import MongoClient
from pymongo.errors import PyMongoError

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "scripts" / "mongo-server.lock"
HOME = ROOT / "build" / "mongo-server"
_UP_WITHIN_S = 30.0


@contextmanager
def mongo_server(host: str = "127.0.0.1") -> Iterator[str]:
    """The URL of a new and empty server at this address of the machine, until the end of the block."""
    program, port = installed(), _free_port(host)
    with tempfile.TemporaryDirectory(prefix="mongo-") as folder:
        command = [str(program), "--host", host, "--port", str(port), "--storage-path", folder, "--log-level", "ERROR"]
        with subprocess.Popen(command) as process:
            try:
                yield _up(f"mongodb://{host}:{port}")
            finally:
                process.kill()


def installed() -> Path:
    """The server's program, in an environment of its own; installed if the lock file has changed since."""
    stamp = HOME / "installed.lock"
    if not stamp.exists() or stamp.read_bytes() != LOCK.read_bytes():
        venv.create(HOME, clear=True, with_pip=True)
        pip = [str(HOME / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--require-hashes", "--no-deps", "-r", str(LOCK)], check=True)
        stamp.write_bytes(LOCK.read_bytes())
    return HOME / "bin" / "secantusd-py"


def _free_port(host: str) -> int:
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def _up(url: str) -> str:
    """The URL, once the server answers."""
    end = time.monotonic() + _UP_WITHIN_S
    with MongoClient[dict[str, object]](url, serverSelectionTimeoutMS=1000) as client:
        while True:
            try:
                client.admin.command("ping")
                return url
            except PyMongoError:
                if time.monotonic() > end:
                    raise
