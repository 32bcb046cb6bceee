"""What the work on a page takes on this machine."""

import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from models.devices import has_cuda
from models.pipeline import Pipeline
from serve_app.documents.reader import read_document
from serve_app.domain.load import PageKind

SAMPLES = Path(__file__).parents[2] / "samples"
_KINDS = {PageKind.TEXT: "invoice.pdf", PageKind.SCAN: "scan.jpg", PageKind.PHOTO: "photo.heic"}
_LEAST_SECONDS = 3.0
_BATCH = 32
# Of the processes that keep all cores busy; each needs about 1 GB.
_MOST_PROCESSES = 16
_START_SECONDS = 300

Say = Callable[[str], None]
_all_begin: Barrier


def measure(say: Say = lambda _: None) -> dict[str, Any]:
    """The fields of a profile that are about pages, from the samples and the bundled models; a minute or two.

    Of the CPU, its time counts and not the clock's, so other programs disturb little.
    """
    alone = _measure_stages(say)
    say("the same on every core at once ...")
    return {**alone, "busy": _measure_when_busy(len(os.sched_getaffinity(0))), "gpu": gpu_name()}


def _measure_stages(say: Say, wait: Callable[[], object] = lambda: None) -> dict[str, Any]:
    """The seconds of each stage; `wait` returns when the next one is to begin."""
    documents = [read_document((SAMPLES / name).read_bytes()) for name in _KINDS.values()]
    few = sum(len(document.pages) for document in documents)
    pipeline = Pipeline()
    labelled = [(document, pipeline.read_models(document)) for document in documents]
    read: dict[str, float] = {}
    for (kind, name), document in zip(_KINDS.items(), documents, strict=True):
        say(f"reading {name} ...")
        wait()
        data = (SAMPLES / name).read_bytes()
        read[str(kind)] = _seconds(lambda data=data: read_document(data), len(document.pages))  # type: ignore[misc]
    batch = documents * (_BATCH if has_cuda() else 1)
    pages = few * len(batch) // len(documents)
    clock = time.perf_counter if has_cuda() else time.process_time
    say("labelling and reconciling ...")
    wait()
    extract = _seconds(lambda: pipeline.label_with_extractor(batch), pages, clock)
    wait()
    verify = _seconds(lambda: pipeline.label_with_verifier(batch), pages, clock)
    wait()
    reconcile = _seconds(lambda: [pipeline.decide(*each) for each in labelled], few)
    return {"read": read, "extract": extract, "verify": verify, "reconcile": reconcile}


def _measure_when_busy(cores: int) -> dict[str, Any]:
    """The mean seconds of each stage while every core works on the same one."""
    processes = min(cores, _MOST_PROCESSES)
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(processes, timeout=_START_SECONDS)
    with ProcessPoolExecutor(processes, context, _join_in, (barrier,)) as pool:
        found = list(pool.map(_measure_together, range(processes)))
    means = {name: sum(each[name] for each in found) / processes for name in ("extract", "verify", "reconcile")}
    return {"read": {kind: sum(each["read"][kind] for each in found) / processes for kind in found[0]["read"]}, **means}


def _join_in(barrier: Barrier) -> None:
    global _all_begin
    _all_begin = barrier


def _measure_together(_: int) -> dict[str, Any]:
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
