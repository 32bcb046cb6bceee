"""Measure the delivery of webhooks; 1 where it is slower than promised.

Usage: python -m benchmarks.webhooks [--only throughput|dead|backlog] [--deliveries N] [--seconds S] [--backlog N]
                                     [--out FILE.md]
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.store.report import Result
from benchmarks.webhooks.delays import measure_backlog, measure_dead
from benchmarks.webhooks.throughput import measure_throughput


def main() -> int:
    arguments = _parser().parse_args()
    results = []
    for name, measure in _measurements(arguments).items():
        if arguments.only in (None, name):
            results.append(measure())
            print(*results[-1].lines, sep="\n", flush=True)
    if arguments.out is not None:
        arguments.out.write_text(
            "\n".join(line for result in results for line in result.lines) + "\n", encoding="utf-8"
        )
    return 0 if all(result.is_kept for result in results) else 1


def _measurements(arguments: argparse.Namespace) -> dict[str, Callable[[], Result]]:
    return {
        "throughput": lambda: measure_throughput(arguments.deliveries, arguments.rounds),
        "dead": lambda: measure_dead(arguments.seconds),
        "backlog": lambda: measure_backlog(arguments.backlog, arguments.seconds),
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.webhooks", description=__doc__)
    parser.add_argument("--only", choices=["throughput", "dead", "backlog"])
    parser.add_argument("--deliveries", type=int, default=5_000, help="of each run of the throughput")
    parser.add_argument("--rounds", type=int, default=3, help="of the throughput")
    parser.add_argument("--seconds", type=float, default=60, help="of each stream beside dead and busy endpoints")
    parser.add_argument("--backlog", type=int, default=100_000, help="deliveries due to one endpoint")
    parser.add_argument("--out", type=Path, metavar="FILE.md", help="write the tables here, too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
