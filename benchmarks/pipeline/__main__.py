"""Documents through the whole service against the bare loop on the same cores, and how long they take under load.

Starts the service (`invoices serve`, SQLite). The load and the bare loop take turns, never run together; a row has the
medians of its turns, because the speed of shared cores changes within minutes. It takes a quarter of an hour. Usage:
python -m benchmarks.pipeline [--mixes text,scans,mix] [--documents N] [--turns N] [--profile FILE]
"""

import argparse
import asyncio
import os
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.arguments import some_of
from benchmarks.faults.accounts import make_accounts
from benchmarks.faults.processes import below, command_of
from benchmarks.faults.service import Service
from benchmarks.pipeline.bare import bare_loop
from benchmarks.pipeline.load import Sender
from benchmarks.pipeline.mix import MIXES, SCANS, documents
from benchmarks.pipeline.watched import running, scratch
from serve_app.services.capacity.plan import pages_a_second
from serve_app.services.capacity.profile import Profile, read_profile

SHARES = (0.3, 0.6, 0.9)


def main() -> int:
    arguments = _parser().parse_args()
    profile = None if arguments.profile is None else read_profile(arguments.profile)
    print(f"{_cores()} cores; load before the run {os.getloadavg()[0]:.1f}\n")
    print("| | bare loop, pages/s | the service | share | CPU of a page: bare, service | planned pages/s |")
    print("|---|---|---|---|---|---|", flush=True)
    with scratch() as folder, running(folder / "s", {}) as service:
        asyncio.run(_measured(service, arguments, profile))
    return 0


@dataclass(frozen=True, slots=True)
class _Turn:
    """Pages a second, and seconds of CPU for a page: of the service by its processes, and of the bare loop."""

    rate: float
    cpu: dict[str, float]
    bare_rate: float
    bare_cpu: float

    @property
    def share(self) -> float:
        return self.rate / self.bare_rate


async def _measured(service: Service, arguments: argparse.Namespace, profile: Profile | None) -> None:
    accounts = await make_accounts(service.settings(), 2)
    # The second has no limit.
    sender = Sender(service.url, accounts[1].key)
    await sender.at_once(documents("mix", 10))
    capacity = 0.0
    for mix in arguments.mixes:
        turns = [await _turn(sender, mix, arguments.documents) for _ in range(arguments.turns)]
        _print_turns(mix, turns, profile)
        capacity = statistics.median(turn.rate for turn in turns)
    await _under_load(sender, arguments.mixes[-1], arguments.documents, capacity)
    await sender.close()


async def _turn(sender: Sender, mix: str, count: int) -> _Turn:
    before = _cpu()
    rate = await sender.at_once(documents(mix, count))
    used = _cpu()
    bare_rate, bare_cpu = await asyncio.to_thread(bare_loop, mix, max(count // (2 * _cores()), 5), _cores())
    return _Turn(rate, {name: (used[name] - before.get(name, 0.0)) / count for name in used}, bare_rate, bare_cpu)


def _print_turns(mix: str, turns: list[_Turn], profile: Profile | None) -> None:
    median = statistics.median
    rate, bare_rate = median(turn.rate for turn in turns), median(turn.bare_rate for turn in turns)
    planned = "-"
    if profile is not None:
        predicted = pages_a_second(profile, SCANS[mix])
        planned = f"{predicted:.2f} ({predicted / rate - 1:+.0%})"
    share = f"{median(turn.share for turn in turns):.0%}"
    cpu = f"{median(turn.bare_cpu for turn in turns):.2f}, {median(sum(turn.cpu.values()) for turn in turns):.2f} s"
    print(f"| {mix} | {bare_rate:.2f} | {rate:.2f} | {share} | {cpu} | {planned} |", flush=True)
    each = {name: median(turn.cpu.get(name, 0.0) for turn in turns) for name in turns[-1].cpu}
    parts = ", ".join(f"{name} {1000 * each[name]:.0f} ms" for name in sorted(each, key=each.__getitem__, reverse=True))
    print(f"    {', '.join(f'{turn.share:.0%}' for turn in turns)}; {parts}", file=sys.stderr)


async def _under_load(sender: Sender, mix: str, count: int, capacity: float) -> None:
    print(f"\n| load ({mix}), of {capacity:.2f} pages/s | p50 | p95 |")
    print("|---|---|---|")
    for share in SHARES:
        seconds = sorted(await sender.at_rate(documents(mix, count), share * capacity))
        p95 = seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))]
        print(f"| {share:.0%} | {statistics.median(seconds):.1f} s | {p95:.1f} s |", flush=True)


def _cpu() -> dict[str, float]:
    """Seconds of CPU so far, by what the processes of the service are."""
    found: dict[str, float] = {}
    for process in below(os.getpid()):
        try:
            times, command = process.cpu_times(), command_of(process)
        except psutil.NoSuchProcess:
            continue
        if "multiprocessing" not in command:
            found[_name(command)] = found.get(_name(command), 0.0) + times.user + times.system
    return found


def _name(command: str) -> str:
    if "ServeReplica" in command:
        return command.split("ServeReplica:invoices:")[1].split()[0]
    return "children of readers and reconcilers" if "serve_app." in command else "Ray and Serve"


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pipeline", description=__doc__)
    parser.add_argument(
        "--mixes", type=some_of(MIXES), default=list(MIXES), help="separated by commas; the last under load"
    )
    parser.add_argument("--documents", type=int, default=60, help="of each measurement, at most 100")
    parser.add_argument("--turns", type=int, default=3, help="of each mix")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="compare with what it predicts (invoices plan)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
