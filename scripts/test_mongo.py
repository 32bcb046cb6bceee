"""The store's contract suite, then a storm of kills, over MongoDB's protocol; 1 if either fails.

On the server that MONGODB_TEST_URL names; without it, on one that is installed and started here.

Usage: python -m scripts.test_mongo [--documents N] [--seed N]
"""

import argparse
import os
import subprocess
import sys
from contextlib import nullcontext

from scripts.mongo_server import ROOT, mongo_server

_WORKERS = ("--numprocesses", "logical", "--maxprocesses", "4", "--dist", "worksteal")


def main() -> int:
    arguments = _parser().parse_args()
    storm = ["-m", "benchmarks.faults", "--only", "storm", "--documents", str(arguments.documents)]
    storm += ["--seed", str(arguments.seed), "--mongodb"]
    suite = ["-m", "pytest", "-q", *_WORKERS, "-k", "mongodb", "tests/store"]
    return int(any([_run(suite), _run(storm, is_given_url=True)]))


def _run(what: list[str], *, is_given_url: bool = False) -> int:
    """The exit code, on a new server."""
    named = os.environ.get("MONGODB_TEST_URL")
    with nullcontext(named) if named else mongo_server() as url:
        print(f"{what[1]} over MongoDB's protocol at {url}", flush=True)
        command = [sys.executable, *what, *([url] if is_given_url else [])]
        return subprocess.run(command, env=os.environ | {"MONGODB_TEST_URL": url}, cwd=ROOT, check=False).returncode


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.test_mongo", description=__doc__)
    parser.add_argument("--documents", type=int, default=60, help="of the storm")
    parser.add_argument("--seed", type=int, default=1, help="of the storm")
    return parser


if __name__ == "__main__":
    sys.exit(main())
