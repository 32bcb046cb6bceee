"""Documents through the whole service against the bare loop on the same cores, and how long they take under load.

Starts the service (`invoices serve`, SQLite). The load and the bare loop take turns, never run together. It takes some
minutes. Usage: python -m benchmarks.pipeline [--mixes text,scans,mix] [--documents N] [--profile FILE]
"""

import argparse
import asyncio
import os
import statistics
import sys
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
        asyncio.run(_measured(service, arguments.mixes, arguments.documents, profile))
    return 0


async def _measured(service: Service, mixes: list[str], count: int, profile: Profile | None) -> None:
    accounts = await make_accounts(service.settings(), 2)
    # The second has no limit.
    sender = Sender(service.url, accounts[1].key)
    await sender.at_once(documents("mix", 10))
    capacity = 0.0
    for mix in mixes:
        capacity = await _against_bare(sender, mix, count, profile)
    await _under_load(sender, mixes[-1], count, capacity)
    await sender.close()


async def _against_bare(sender: Sender, mix: str, count: int, profile: Profile | None) -> float:
    before = _cpu()
    rate = await sender.at_once(documents(mix, count))
    used = _cpu()
    each = {name: (used[name] - before.get(name, 0.0)) / count for name in used}
    bare, bare_cpu = await asyncio.to_thread(bare_loop, mix, max(count // (2 * _cores()), 5), _cores())
    planned = "-"
    if profile is not None:
        predicted = pages_a_second(profile, SCANS[mix])
        planned = f"{predicted:.2f} ({predicted / rate - 1:+.0%})"
    cpu = f"{bare_cpu:.2f}, {sum(each.values()):.2f} s"
    print(f"| {mix} | {bare:.2f} | {rate:.2f} | {rate / bare:.0%} | {cpu} | {planned} |", flush=True)
    parts = sorted(each.items(), key=lambda item: -item[1])
    print(
        "    " + ", ".join(f"{name} {1000 * value:.0f} ms" for name, value in parts if value > 0.001), file=sys.stderr
    )
    return rate


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
    parser.add_argument("--profile", type=Path, metavar="FILE", help="compare with what it predicts (invoices plan)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
