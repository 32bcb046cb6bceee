"""What metrics and traces cost: pages a second of the service with both and without either, and CPU of a page.

Two services stand side by side, and the same documents go to both, in turns; which of them is first changes with each
round. A Prometheus (Debian: prometheus) scrapes the one that tells, and its collector is in this process, all of it on
the same cores. With --picture the dashboard is drawn from these scrapes, for docs/how-to/observe.md.
Usage: python -m benchmarks.pipeline.telemetry [--rounds N] [--documents N] [--mix text] [--picture]
"""

import argparse
import asyncio
import os
import statistics
import time

from benchmarks.faults.accounts import make_accounts
from benchmarks.faults.service import Service, free_port
from benchmarks.pipeline.load import Sender
from benchmarks.pipeline.mix import MIXES, documents
from benchmarks.pipeline.watched import SILENT, cpu_of, observed_environment, prometheus, running, scratch
from tests.telemetry.sink import collecting

AIM = 0.03
Pairs = list[tuple[float, float]]
"""With metrics and traces, and without, of each round."""


def main() -> None:
    arguments = _parser().parse_args()
    print(f"load before the run {os.getloadavg()[0]:.1f}", flush=True)
    port = free_port()
    with (
        scratch() as folder,
        collecting() as sink,
        running(folder / "a", observed_environment(folder, port, sink.url)) as one,
        running(folder / "b", SILENT) as other,
        prometheus(folder, port) as url,
    ):
        began = time.time()
        asyncio.run(_measured((one, other), arguments))
        print(f"{len(sink.spans)} spans collected; load after the run {os.getloadavg()[0]:.1f}")
        if arguments.picture:
            from scripts.dashboard_picture import PICTURE, draw

            draw(url, began, time.time(), PICTURE)


async def _measured(services: tuple[Service, Service], arguments: argparse.Namespace) -> None:
    senders = [await _sender(service) for service in services]
    for sender in senders:
        await sender.at_once(documents(arguments.mix, min(10, arguments.documents)))
    rates: Pairs = []
    costs: Pairs = []
    for number in range(arguments.rounds):
        found: dict[int, tuple[float, float]] = {}
        for which in (0, 1) if number % 2 else (1, 0):
            before = cpu_of(services[which])
            rate = await senders[which].at_once(documents(arguments.mix, arguments.documents))
            found[which] = rate, (cpu_of(services[which]) - before) / arguments.documents
        rates.append((found[0][0], found[1][0]))
        costs.append((found[0][1], found[1][1]))
        print(f"round {number + 1}: {_both(rates[-1])} pages/s, {_both(costs[-1])} s of CPU a page", flush=True)
    for sender in senders:
        await sender.close()
    _report("fewer pages a second", [1 - observed / silent for observed, silent in rates])
    _report("more CPU for a page", [observed / silent - 1 for observed, silent in costs])


async def _sender(service: Service) -> Sender:
    accounts = await make_accounts(service.settings(), 2)
    # The second has no limit.
    return Sender(service.url, accounts[1].key)


def _both(pair: tuple[float, float]) -> str:
    return f"with {pair[0]:.3f}, without {pair[1]:.3f}"


def _report(what: str, shares: list[float]) -> None:
    error = statistics.stdev(shares) / len(shares) ** 0.5 if len(shares) > 1 else float("nan")
    print(f"{what}: {statistics.mean(shares):+.1%} (mean of pairs; standard error {error:.1%}; aim: below {AIM:.0%})")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pipeline.telemetry", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--documents", type=int, default=30, help="of each service in each round, at most 100")
    parser.add_argument("--mix", choices=list(MIXES), default="text")
    parser.add_argument("--picture", action="store_true", help="draw docs/pictures/dashboard.webp")
    return parser


if __name__ == "__main__":
    main()
