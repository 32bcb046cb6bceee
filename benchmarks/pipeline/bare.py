"""The bare loop: read, extract, verify, reconcile, in as many processes as there are cores."""

import multiprocessing
import os
import time
from multiprocessing.connection import Connection
from typing import Any

from benchmarks.pipeline.mix import documents

_START_S = 120.0


def _work(mix: str, count: int, pipe: Connection) -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
    from models.pipeline import Pipeline

    pipeline, every = Pipeline(), documents(mix, count)
    for document in {each.name: each for each in every}.values():
        pipeline.extract(document.data)
    pipe.send("ready")
    pipe.recv()
    started = time.process_time()
    for document in every:
        pipeline.extract(document.data)
    pipe.send((len(every), time.process_time() - started))


def bare_loop(mix: str, count: int, processes: int) -> tuple[float, float]:
    """Pages a second of all processes together, each with `count` documents, and the seconds of CPU for a page."""
    context = multiprocessing.get_context("spawn")
    pipes: list[Any] = []
    for _ in range(processes):
        ours, theirs = context.Pipe()
        context.Process(target=_work, args=(mix, count, theirs), daemon=True).start()
        pipes.append(ours)
    for pipe in pipes:
        if not pipe.poll(_START_S):
            raise TimeoutError("a process of the bare loop does not start")
        pipe.recv()
    started = time.monotonic()
    for pipe in pipes:
        pipe.send("go")
    results = [pipe.recv() for pipe in pipes]
    pages = sum(done for done, _ in results)
    return pages / (time.monotonic() - started), sum(seconds for _, seconds in results) / pages
