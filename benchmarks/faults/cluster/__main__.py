"""Kill machines, proxies and the control store of a cluster of three, then check its data; 1 if a promise is broken.
With --update, give each machine a changed version of the program instead, and then this one again.

Needs root, for networks and processes of each machine's own. Usage:
python -m benchmarks.faults.cluster [--documents N] [--clients N] [--seed N] [--pause SECONDS] [--update]
                                    [--only NAME...] [--keep FOLDER]
"""

import argparse
import asyncio
import os
import random
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from benchmarks.faults.cluster.network import HERE, enter_own_network
from benchmarks.faults.cluster.run import Plan, run_cluster
from benchmarks.faults.cluster.update import run_update
from benchmarks.faults.processes import adopt_orphans, kill_everything_below
from scripts.mongo_server import installed, mongo_server


def main() -> int:
    arguments = _parser().parse_args()
    # While there is a way to PyPI.
    installed()
    enter_own_network("benchmarks.faults.cluster")
    adopt_orphans()
    signal.signal(signal.SIGTERM, _give_up)
    plan = Plan(arguments.documents, arguments.clients, arguments.seed, arguments.pause, arguments.only)
    folder = Path(tempfile.mkdtemp(prefix="cluster-"))
    try:
        with mongo_server(HERE) as url:
            # What stands in for MongoDB is slow beside all these processes, and not what is tested.
            mongodb = f"{url}/cluster?timeoutMS=30000"
            work = run_update(plan.clients, plan.seed, folder, mongodb) if arguments.update else None
            report, is_kept = asyncio.run(work or run_cluster(plan, folder, mongodb))
        print(*report, sep="\n", flush=True)
        return 0 if is_kept else 1
    finally:
        kill_everything_below()
        if arguments.keep:
            unneeded = shutil.ignore_patterns("gcs", ".ray", "*_key", "sockets", "runtime_resources", "changed")
            shutil.copytree(folder, arguments.keep / folder.name, symlinks=True, ignore=unneeded)
        shutil.rmtree(folder, ignore_errors=True)


def _give_up(*_: object) -> None:
    """At the end of a time limit: no machine is left behind, whatever the threads of this process wait for."""
    kill_everything_below()
    os._exit(143)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults.cluster", description=__doc__)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--clients", type=int, default=6, help="a third of them at each machine")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="else a new one")  # noqa: S311
    parser.add_argument("--pause", type=float, default=12.0, help="of a client between two documents, on average")
    parser.add_argument(
        "--only",
        nargs="+",
        default=(),
        metavar="NAME",
        help="kill these, in this order: head, 'proxy of worker-1', ...",
    )
    parser.add_argument("--update", action="store_true", help="update the machines under load, and back")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the logs here")
    return parser


if __name__ == "__main__":
    sys.exit(main())
