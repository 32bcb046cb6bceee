"""Pages a second of the reconciling stage with one replica and with two, beside the bare work in one and two processes.

A replica is what the deployment runs (`IsolatedReconciler`), in a process of its own, without Ray. The bare work shares
nothing, so what two of its processes do is what the machine has to give. All four take turns.
Usage: benchmarks/reconcilers.py [--rounds N] [--documents N]
"""

import argparse
import asyncio
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import psutil

from models.pipeline import Pipeline
from serve_app.documents.packing import pack
from serve_app.documents.reader import read_document
from serve_app.domain.packed import LabelledPages
from serve_app.reconciling.calibrations import load_calibrations
from serve_app.reconciling.isolated import IsolatedReconciler
from serve_app.reconciling.reconcile import reconcile

SAMPLE = Path(__file__).parent.parent / "samples" / "invoice.pdf"
IN_FLIGHT = 2
"""Documents that a replica has at a time, as the policy gives them."""
MOST = 2

Round = Callable[[int], None]


def bare(labelled: LabelledPages, pipe: Connection) -> None:
    """A process that does the work and nothing else."""
    calibrations = load_calibrations()

    def work(count: int) -> None:
        for _ in range(count):
            reconcile(labelled, calibrations)

    _answer(pipe, work)


def replica(labelled: LabelledPages, pipe: Connection) -> None:
    """A process that does what a replica does."""
    with closing(IsolatedReconciler(load_calibrations(), 120.0)) as reconciler:

        async def some(count: int) -> None:
            for _ in range(count):
                await reconciler.reconcile(labelled)

        async def together(count: int) -> None:
            await asyncio.gather(*(some(count // IN_FLIGHT) for _ in range(IN_FLIGHT)))

        _answer(pipe, lambda count: asyncio.run(together(count)))


def _answer(pipe: Connection, work: Round) -> None:
    """Work off rounds of as many documents as are asked for, 0 ends; answers with the seconds of CPU of this process
    and of its children."""
    work(IN_FLIGHT)
    pipe.send(_cpu())
    while count := pipe.recv():
        work(count)
        pipe.send(_cpu())


def _cpu() -> tuple[float, float]:
    def seconds(process: psutil.Process) -> float:
        times = process.cpu_times()
        return times.user + times.system

    this = psutil.Process()
    return seconds(this), sum(seconds(child) for child in this.children() if "reconciling" in " ".join(child.cmdline()))


class Worker:
    """A process of one of these kinds."""

    def __init__(self, kind: Callable[[LabelledPages, Connection], None], labelled: LabelledPages) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=kind, args=(labelled, theirs))
        self._process.start()
        self.cpu: tuple[float, float] = self.pipe.recv()

    def close(self) -> None:
        """End it."""
        self.pipe.send(0)
        self._process.join()


def rate_of(workers: list[Worker], count: int) -> float:
    """Pages a second of a round of `count` documents for each."""
    started = time.monotonic()
    for worker in workers:
        worker.pipe.send(count)
    for worker in workers:
        worker.pipe.recv()
    return len(workers) * count / (time.monotonic() - started)


def measure(labelled: LabelledPages, rounds: int, count: int) -> None:
    """Print the medians of rounds that take turns."""
    kinds = {kind.__name__: [Worker(kind, labelled) for _ in range(MOST)] for kind in (bare, replica)}
    found: dict[tuple[str, int], list[float]] = {(name, number): [] for name in kinds for number in range(1, MOST + 1)}
    for _ in range(rounds):
        for (name, number), rates in found.items():
            rates.append(rate_of(kinds[name][:number], count))
    for name in kinds:
        one, two = (statistics.median(found[name, number]) for number in (1, 2))
        pairs = [late / early for early, late in zip(found[name, 1], found[name, 2], strict=True)]
        print(f"{name:8} one: {one:.2f} pages/s, two: {two:.2f} ({statistics.median(pairs):.2f} times)")
    _report_cpu(kinds["replica"][0], rounds * MOST * count)
    for worker in (worker for workers in kinds.values() for worker in workers):
        worker.close()


def _report_cpu(worker: Worker, pages: int) -> None:
    """Of the first replica, which took part in every round."""
    worker.pipe.send(IN_FLIGHT)
    own, child = (late - early for early, late in zip(worker.cpu, worker.pipe.recv(), strict=True))
    each = [1000 * seconds / (pages + IN_FLIGHT) for seconds in (own, child)]
    print(f"CPU of a page: {each[1]:.0f} ms in the replica's child, {each[0]:.1f} ms in the replica itself")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--documents", type=int, default=20, help="of each process in each round")
    arguments = parser.parse_args()
    print(f"{len(os.sched_getaffinity(0))} cores; load before the run {os.getloadavg()[0]:.1f}")
    document = read_document(SAMPLE.read_bytes())
    extractor, verifier = Pipeline().read_models(document)
    measure(LabelledPages(pack(document), (extractor,), (verifier,)), arguments.rounds, arguments.documents)


if __name__ == "__main__":
    main()
