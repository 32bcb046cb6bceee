"""Kill and starve the real service, then check its data; 1 when a promise is broken.

Usage: python -m benchmarks.faults [--documents N] [--mails N] [--clients N] [--runs N] [--seed N] [--only WHAT]
                                [--keep FOLDER] [--out FILE.md] [--mongodb URL]
"""

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from benchmarks.faults.machine import FAULTS, ON_REQUEST, Skipped
from benchmarks.faults.processes import adopt_orphans, kill_everything_below
from benchmarks.faults.report import fault_report, storm_report
from benchmarks.faults.service import NotReady
from benchmarks.faults.storm import Storm, run_storm
from benchmarks.faults.webhooks import run_webhooks

STORM, WEBHOOKS = "storm", "webhooks"
OTHERS = {WEBHOOKS: run_webhooks, **FAULTS}
Report = tuple[list[str], bool]


def main() -> int:
    arguments = _parser().parse_args()
    adopt_orphans()
    wanted = arguments.only or [STORM, *(name for name in OTHERS if name not in ON_REQUEST)]
    works = [_storm(arguments, run) for run in range(arguments.runs)] if STORM in wanted else []
    works += [_fault(name) for name in OTHERS if name in wanted]
    reports = [_reported(work, arguments.keep) for work in works]
    if arguments.out:
        arguments.out.write_text("\n".join(line for lines, _ in reports for line in lines) + "\n", encoding="utf-8")
    return 0 if all(kept for _, kept in reports) else 1


def _storm(arguments: argparse.Namespace, run: int) -> Callable[[Path], Report]:
    mongodb = arguments.mongodb and f"{arguments.mongodb.rstrip('/')}/test_{uuid4().hex}"
    storm = Storm(arguments.documents, arguments.mails, arguments.clients, arguments.seed + run, mongodb=mongodb)

    def work(folder: Path) -> Report:
        result = asyncio.run(run_storm(storm, folder))
        return storm_report(result), all(line.is_kept for line in result.lines)

    return work


def _fault(name: str) -> Callable[[Path], Report]:
    def work(folder: Path) -> Report:
        lines = asyncio.run(OTHERS[name](folder))
        return fault_report(name, lines), all(line.is_kept for line in lines)

    return work


def _reported(work: Callable[[Path], Report], keep: Path | None) -> Report:
    """Do the work in a folder of its own, print what came of it, and leave neither folder nor process."""
    # A short name: Ray puts sockets below it.
    folder = Path(tempfile.mkdtemp(prefix="faults-"))
    try:
        report = work(folder)
    except (NotReady, TimeoutError, ExceptionGroup) as error:
        report = [f"- BROKEN: the run did not come to its end: {error!r}", ""], False
    except Skipped as reason:
        report = [f"Skipped: {reason}", ""], True
    finally:
        kill_everything_below()
        if keep is not None:
            _keep(folder, keep / folder.name)
        shutil.rmtree(folder, ignore_errors=True)
    print(*report[0], sep="\n", flush=True)
    return report


def _keep(folder: Path, kept: Path) -> None:
    """Logs and database, but not Ray's sockets."""
    only = shutil.ignore_patterns("sockets", "session_latest", "files", "disk", "*.so", "runtime_resources")
    shutil.copytree(folder, kept, ignore=only, symlinks=True)
    print(f"kept: {kept}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--documents", type=int, default=200, help="of each run")
    parser.add_argument("--mails", type=int, default=50, help="of each run")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--runs", type=int, default=1, help="of the storm, each with the next seed")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="else a new one")  # noqa: S311
    parser.add_argument("--only", action="append", choices=[STORM, *OTHERS], help="may be repeated")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep logs and databases here")
    parser.add_argument("--out", type=Path, metavar="FILE.md", help="write the report here, too")
    parser.add_argument("--mongodb", metavar="URL", help="the storm on a new database of this server, not on SQLite")
    return parser


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
