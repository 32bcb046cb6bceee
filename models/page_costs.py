"""What the work on a page takes on this machine."""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.synchronize import Barrier
from typing import Any

from models.devices import has_cuda
from models.pipeline import Pipeline
from serve_app.documents.reader import read_document
from serve_app.domain.load import PageKind
from serve_app.system.shipped_files import SAMPLES

_KINDS = {PageKind.TEXT: "invoice.pdf", PageKind.SCAN: "scan.jpg", PageKind.PHOTO: "photo.heic"}
_LEAST_SECONDS = 3.0
_BATCH = 32
# Of the processes that keep all cores busy; each needs about 1 GB.
_MOST_PROCESSES = 16
_START_SECONDS = 300

Say = Callable[[str], None]
Stages = dict[str, dict[str, float]]
"""Seconds for a page by stage and kind of page."""
_all_begin: Barrier


def measure(say: Say = lambda _: None) -> dict[str, Any]:
    """The fields of a profile that are about pages, from the samples and the bundled models; a minute or two.

    Of the CPU, its time counts and not the clock's, so other programs disturb little.
    """
    alone = _measure_stages(say)
    say("the same on every core at once ...")
    return {**alone, "busy": _measure_when_busy(len(os.sched_getaffinity(0))), "gpu": gpu_name()}


def _measure_stages(say: Say, wait: Callable[[], object] = lambda: None) -> Stages:
    """The seconds of each stage, by kind of page; `wait` returns when the next measurement is to begin."""
    pipeline = Pipeline()
    stages: Stages = {"read": {}, "extract": {}, "verify": {}, "reconcile": {}}
    for kind, name in _KINDS.items():
        say(f"{name} ...")
        for stage, seconds in _stages_of(pipeline, (SAMPLES / name).read_bytes(), wait):
            stages[stage][str(kind)] = seconds
    return stages


def _stages_of(pipeline: Pipeline, data: bytes, wait: Callable[[], object]) -> Iterator[tuple[str, float]]:
    document = read_document(data)
    pages, readings = len(document.pages), pipeline.read_models(document)
    batch = [document] * (_BATCH if has_cuda() else 1)
    clock = time.perf_counter if has_cuda() else time.process_time
    wait()
    yield "read", _seconds(lambda: read_document(data), pages)
    wait()
    yield "extract", _seconds(lambda: pipeline.label_with_extractor(batch), len(batch) * pages, clock)
    wait()
    yield "verify", _seconds(lambda: pipeline.label_with_verifier(batch), len(batch) * pages, clock)
    wait()
    yield "reconcile", _seconds(lambda: pipeline.decide(document, readings), pages)


def _measure_when_busy(cores: int) -> Stages:
    """The mean seconds of each stage while every core works on the same one."""
    processes = min(cores, _MOST_PROCESSES)
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(processes, timeout=_START_SECONDS)
    with ProcessPoolExecutor(processes, context, _join_in, (barrier,)) as pool:
        found = list(pool.map(_measure_together, range(processes)))
    return {
        stage: {kind: sum(each[stage][kind] for each in found) / processes for kind in seconds}
        for stage, seconds in found[0].items()
    }


def _join_in(barrier: Barrier) -> None:
    global _all_begin
    _all_begin = barrier


def _measure_together(_: int) -> Stages:
    return _measure_stages(lambda _: None, _all_begin.wait)


def gpu_name() -> str | None:
    """The GPU that models would run on."""
    if not has_cuda():
        return None
    import torch

    return torch.cuda.get_device_name()


def _seconds(work: Callable[[], object], pages: int, clock: Callable[[], float] = time.process_time) -> float:
    """The mean seconds of a page, once everything is warm."""
    work()
    rounds, started = 0, clock()
    while rounds < 2 or clock() - started < _LEAST_SECONDS:
        work()
        rounds += 1
    return (clock() - started) / rounds / pages
