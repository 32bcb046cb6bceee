"""The store's contract suite, then a storm of kills, over MongoDB's protocol; 1 if either fails.

On the server that MONGODB_TEST_URL names; without it, on one that is installed and started here.

Usage: python scripts/test_mongo.py [--documents N] [--seed N]
"""

import argparse
import os
import socket
import subprocess
import sys
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
_WORKERS = ("--numprocesses", "logical", "--maxprocesses", "4", "--dist", "worksteal")


def main() -> int:
    arguments = _parser().parse_args()
    storm = ["-m", "benchmarks.faults", "--only", "storm", "--documents", str(arguments.documents)]
    storm += ["--seed", str(arguments.seed), "--mongodb"]
    suite = ["-m", "pytest", "-q", *_WORKERS, "-k", "mongodb", "tests/store"]
    return int(any([_run(suite), _run(storm, is_given_url=True)]))


def _run(what: list[str], *, is_given_url: bool = False) -> int:
    """The exit code, on a new server."""
    with _server() as url:
        print(f"{what[1]} over MongoDB's protocol at {url}", flush=True)
        command = [sys.executable, *what, *([url] if is_given_url else [])]
        return subprocess.run(command, env=os.environ | {"MONGODB_TEST_URL": url}, cwd=ROOT, check=False).returncode


@contextmanager
def _server() -> Iterator[str]:
    if named := os.environ.get("MONGODB_TEST_URL"):
        yield named
        return
    program, port = _installed(), _free_port()
    with tempfile.TemporaryDirectory(prefix="mongo-") as folder:
        command = [str(program), "--port", str(port), "--storage-path", folder, "--log-level", "ERROR"]
        with subprocess.Popen(command) as process:
            try:
                yield _up(f"mongodb://127.0.0.1:{port}")
            finally:
                process.kill()


def _installed() -> Path:
    """The server's program, in an environment of its own; installed if the lock file has changed since."""
    stamp = HOME / "installed.lock"
    if not stamp.exists() or stamp.read_bytes() != LOCK.read_bytes():
        venv.create(HOME, clear=True, with_pip=True)
        pip = [str(HOME / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--require-hashes", "--no-deps", "-r", str(LOCK)], check=True)
        stamp.write_bytes(LOCK.read_bytes())
    return HOME / "bin" / "secantusd-py"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python scripts/test_mongo.py", description=__doc__)
    parser.add_argument("--documents", type=int, default=60, help="of the storm")
    parser.add_argument("--seed", type=int, default=1, help="of the storm")
    return parser


if __name__ == "__main__":
    sys.exit(main())
