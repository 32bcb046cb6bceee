"""Measure the API on a real Ray Serve; 1 where an endpoint misses its aim or a request failed. Needs wrk.

Usage: python -m benchmarks.api [--modes default,haproxy] [--seconds S] [--out FILE.md]
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.api.modes import MODES, measure_mode
from benchmarks.api.wrk import NoWrk, find_wrk
from benchmarks.arguments import some_of
from benchmarks.faults.processes import adopt_orphans, kill_everything_below
from benchmarks.faults.service import NotReady
from benchmarks.store.report import Result


def main() -> int:
    arguments = _parser().parse_args()
    try:
        find_wrk()
    except NoWrk as error:
        print(error, file=sys.stderr)
        return 2
    adopt_orphans()
    results = [_measured(mode, arguments.seconds) for mode in arguments.modes]
    if arguments.out:
        arguments.out.write_text("\n".join(line for result in results for line in result.lines), encoding="utf-8")
    return 0 if all(result.is_kept for result in results) else 1


def _measured(mode: str, seconds: int) -> Result:
    """Measure in a folder of its own, and leave neither folder nor process."""
    # A short name: Ray puts sockets below it.
    folder = Path(tempfile.mkdtemp(prefix="api-"))
    try:
        result = measure_mode(mode, folder / "s", seconds)
    except NotReady as error:
        result = Result([f"### Mode: {mode}", "", f"Not measured: {error}", ""], is_kept=False)
    finally:
        kill_everything_below()
        shutil.rmtree(folder, ignore_errors=True)
    print(*result.lines, sep="\n", flush=True)
    return result


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.api", description=__doc__)
    parser.add_argument("--modes", type=some_of(MODES), default=list(MODES), help="separated by commas")
    parser.add_argument("--seconds", type=int, default=5, help="of each of three rounds of each endpoint")
    parser.add_argument("--out", type=Path, metavar="FILE.md", help="write the tables here, too")
    return parser


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
