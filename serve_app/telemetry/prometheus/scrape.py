"""The address at which Prometheus asks a machine for its numbers."""

import threading
from collections.abc import Iterable
from pathlib import Path

from prometheus_client import CollectorRegistry, Metric, generate_latest, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from serve_app.telemetry.prometheus.slots import forget_the_dead
from serve_app.telemetry.series import STAGE_SECONDS

RETRY_SECONDS = 2.0
"""How long nobody answers after the process that did has ended."""


class MachineNumbers(Collector):
    """The numbers of all processes of this machine that share the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = MultiProcessCollector(None, str(folder))  # type: ignore[no-untyped-call]

    def collect(self) -> Iterable[Metric]:
        forget_the_dead(self._folder)
        return list(self._files.collect())  # type: ignore[no-untyped-call]


def text_of(folder: Path) -> str:
    """What a scrape answers."""
    return generate_latest(_registry(folder)).decode()


def stage_totals(folder: Path) -> dict[str, tuple[float, float]]:
    """How often each stage was done on this machine so far, and how many seconds of work that was."""
    totals: dict[str, dict[str, float]] = {}
    for metric in MachineNumbers(folder).collect():
        for sample in metric.samples if metric.name == STAGE_SECONDS.name else ():
            part = sample.name.removeprefix(STAGE_SECONDS.name)
            if part in {"_count", "_sum"}:
                totals.setdefault(sample.labels["stage"], {})[part] = sample.value
    return {stage: (parts["_count"], parts["_sum"]) for stage, parts in totals.items()}


def answer_scrapes(folder: Path, host: str, port: int) -> None:
    """From a thread of this process, for as long as it lives, unless another process does: then as soon as that one has
    ended. So it does not matter which processes run where, and there is one address on each machine."""
    thread = threading.Thread(target=_serve_when_free, args=(folder, host, port), name="metrics", daemon=True)
    thread.start()


def _serve_when_free(folder: Path, host: str, port: int) -> None:
    pause = threading.Event()
    while True:
        try:
            start_http_server(port, host, registry=_registry(folder))
        except OSError:
            pause.wait(RETRY_SECONDS)
        else:
            return


def _registry(folder: Path) -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(MachineNumbers(folder))
    return registry
