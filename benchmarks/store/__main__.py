"""Measure the SQLite store; 1 where something was counted wrongly, or grows more than it may.

`--only mongodb` counts the commands of claims on a server of MongoDB's protocol, which it installs.

Usage: python -m benchmarks.store [--only PART] [--seconds S] [--processes N] [--invoices N]
    [--out FILE.md]
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.store.claims import measure_claims
from benchmarks.store.commands import measure_commands
from benchmarks.store.contention import measure_contention
from benchmarks.store.dispatchers import Load, measure_dispatchers
from benchmarks.store.log import measure_log
from benchmarks.store.lookups import measure_lookups
from benchmarks.store.report import Result
from benchmarks.store.scale import measure_scale

_PARTS = ("contention", "claims", "dispatchers", "scale", "lookups", "log", "mongodb")


def main() -> int:
    arguments = _parser().parse_args()
    results = []
    with tempfile.TemporaryDirectory(prefix="bench-store-") as folder:
        for result in _measured(arguments, Path(folder)):
            print(*result.lines, sep="\n", flush=True)
            results.append(result)
    _write(arguments.out, results)
    return 0 if all(result.is_kept for result in results) else 1


def _measured(arguments: argparse.Namespace, folder: Path) -> Iterator[Result]:
    if arguments.only in (None, "contention"):
        for results in (False, True):
            database = folder / f"contention-{results}.db"
            yield measure_contention(database, arguments.processes, arguments.seconds, results=results)
    if arguments.only in (None, "claims"):
        yield measure_claims(folder, processes=4, rounds=1)
    if arguments.only in (None, "dispatchers"):
        yield asyncio.run(measure_dispatchers(folder / "dispatchers.db", Load()))
    if arguments.only == "mongodb":
        yield measure_commands((20, 60), most=1)
    if arguments.only in (None, "scale"):
        yield asyncio.run(measure_scale(folder / "scale.db", arguments.invoices))
    if arguments.only in (None, "lookups"):
        yield asyncio.run(measure_lookups(folder / "lookups.db"))
    if arguments.only in (None, "log"):
        yield measure_log(folder / "log.db", arguments.seconds)


def _write(out: Path | None, results: list[Result]) -> None:
    if out is not None:
        out.write_text("\n".join(line for result in results for line in result.lines) + "\n", encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.store", description=__doc__)
    parser.add_argument("--only", choices=_PARTS)
    parser.add_argument("--seconds", type=float, default=20, help="of the contention, and of the log")
    parser.add_argument("--processes", type=int, default=8, help="of the contention, with 4 coroutines each")
    parser.add_argument("--invoices", type=int, default=1_000_000, help="of the one large account")
    parser.add_argument("--out", type=Path, metavar="FILE.md", help="write the tables here, too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
