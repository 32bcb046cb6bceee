"""What a shadow that reads every document costs those who wait for answers.

Two services stand side by side, one of them with a candidate that reads along, which is the bundled extractor once
more. The same documents go to both at the same moments, in turns; which of them is first changes with each round. Each
turn begins once the candidate has caught up.
Usage: python -m benchmarks.pipeline.shadow [--rounds N] [--documents N] [--rate N] [--mix text]
"""

import argparse
import asyncio
import os
import statistics
from pathlib import Path
from typing import Any

import yaml

from benchmarks.faults.accounts import make_accounts
from benchmarks.faults.service import Service
from benchmarks.pipeline.load import Sender
from benchmarks.pipeline.mix import MIXES, documents
from benchmarks.pipeline.watched import SILENT, cpu_of, running, scratch
from serve_app.commands.local_graph import DEFAULT_CONFIG, read_graph
from serve_app.store.factory import open_store

AIM = 0.05
CANDIDATE = "candidate"
_OWN = ("id", "created_at", "updated_at", "file", "vendor_id", "duplicate_of")
"""What answers of two services do not have in common."""
_IDLE = 0.4
"""Seconds of CPU in a second: a service that only waits takes less."""


def main() -> None:
    arguments = _parser().parse_args()
    print(f"load before the run {os.getloadavg()[0]:.1f}", flush=True)
    with (
        scratch() as folder,
        running(folder / "a", SILENT, _with_shadow(folder / "serve.yaml")) as one,
        running(folder / "b", SILENT) as other,
    ):
        asyncio.run(_measured((one, other), arguments))
        print(f"load after the run {os.getloadavg()[0]:.1f}")


def _with_shadow(path: Path) -> tuple[str, ...]:
    """The arguments of a service whose configuration, written to `path`, has a shadow."""
    graph = read_graph(DEFAULT_CONFIG)
    (application,) = graph["applications"]
    (extractor,) = (each for each in application["deployments"] if each["name"] == "Extractor")
    application["deployments"].append({**extractor, "name": f"Extractor-{CANDIDATE}"})
    application["args"] |= {
        "pairs": {CANDIDATE: ["extractor"]},
        "shadow": {"pair": CANDIDATE, "share": 1.0},
    }
    path.write_text(yaml.safe_dump(graph))
    return "--config", str(path)


async def _measured(services: tuple[Service, Service], arguments: argparse.Namespace) -> None:
    senders = [await _sender(service) for service in services]
    for sender in senders:
        await sender.at_once(documents(arguments.mix, 10))
    seconds: tuple[list[float], list[float]] = ([], [])
    for number in range(arguments.rounds):
        for which in (0, 1) if number % 2 else (1, 0):
            await _until_idle(services)
            sent = documents(arguments.mix, arguments.documents, number)
            seconds[which].extend(await senders[which].at_rate(sent, arguments.rate, number))
        print(f"round {number + 1}: p95 with {_p95(seconds[0]):.2f} s, without {_p95(seconds[1]):.2f} s", flush=True)
    await _until_idle(services)
    answers = [await sender.answers(100) for sender in senders]
    for sender in senders:
        await sender.close()
    _report(seconds, answers)
    print(f"{await _compared(services[0])} invoices were read along")


async def _sender(service: Service) -> Sender:
    accounts = await make_accounts(service.settings(), 2)
    # The second has no limit.
    return Sender(service.url, accounts[1].key)


async def _until_idle(services: tuple[Service, Service]) -> None:
    """Until neither service computes."""
    for service in services:
        used = cpu_of(service)
        while True:
            await asyncio.sleep(2)
            before, used = used, cpu_of(service)
            if (used - before) / 2 < _IDLE:
                break


async def _compared(service: Service) -> int:
    store = open_store(service.settings())
    try:
        return len(await store.comparisons.newest(CANDIDATE, 10_000))
    finally:
        await store.connection.close()


def _report(seconds: tuple[list[float], list[float]], answers: list[list[dict[str, Any]]]) -> None:
    for name, times in zip(("with the shadow", "without"), seconds, strict=True):
        print(f"{name}: {len(times)} documents, median {statistics.median(times):.2f} s, p95 {_p95(times):.2f} s")
    print(f"p95: {_p95(seconds[0]) / _p95(seconds[1]) - 1:+.1%} (aim: within {AIM:.0%})")
    different = _different(*answers)
    files = len({answer["file"]["name"] for answer in answers[0]})
    print(f"OTHER answers: {', '.join(different)}" if different else f"the same answers to {files} different files")


def _different(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> list[str]:
    """The fields in which the two services answer differently to the same files."""
    fields = [
        {
            (answer["file"]["name"], name, yaml.safe_dump(each))
            for answer in every
            for name, each in answer.items()
            if name not in _OWN
        }
        for every in (one, other)
    ]
    return sorted({name for _, name, _ in fields[0] ^ fields[1]})


def _p95(seconds: list[float]) -> float:
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pipeline.shadow", description=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--documents", type=int, default=30, help="of each service in each round, at most 100")
    parser.add_argument("--rate", type=float, default=0.5, help="documents a second (default: %(default)s)")
    parser.add_argument("--mix", choices=list(MIXES), default="text")
    return parser


if __name__ == "__main__":
    main()
