"""A meter that keeps its numbers in files which all processes of a machine share."""

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values

from serve_app.system.private_folders import make_private_folder
from serve_app.telemetry import series
from serve_app.telemetry.prometheus.allocated import use_allocated_files
from serve_app.telemetry.prometheus.slots import take_slot
from serve_app.telemetry.roles import Child
from serve_app.telemetry.series import Kind, Series

_Metric = Counter | Gauge | Histogram


class PrometheusMeter:
    """Create one per process. It has `children` from the start; others when they are first recorded, unless the disk is
    full: their numbers are then left out."""

    def __init__(self, folder: Path, children: Iterable[Child]) -> None:
        """Raises OSError if the folder cannot be used."""
        make_private_folder(folder)
        slot = take_slot(folder)
        # The library asks for the folder here, and chooses its kind of values when it is imported, which Ray may have
        # done already.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
        use_allocated_files()
        values.ValueClass = values.MultiProcessValue(lambda: slot)  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry()
        self._metrics: dict[str, _Metric] = {}
        for one, labels in children:
            self._metric(one, labels)

    def count(self, series: Series, amount: float, labels: dict[str, str]) -> None:
        with suppress(OSError):
            metric = self._metric(series, labels)
            assert isinstance(metric, Counter)  # noqa: S101 - for the type checker
            metric.inc(amount)

    def set(self, series: Series, value: float, labels: dict[str, str]) -> None:
        with suppress(OSError):
            metric = self._metric(series, labels)
            assert isinstance(metric, Gauge)  # noqa: S101 - for the type checker
            metric.set(value)

    def observe(self, series: Series, value: float, labels: dict[str, str]) -> None:
        with suppress(OSError):
            metric = self._metric(series, labels)
            assert isinstance(metric, Histogram)  # noqa: S101 - for the type checker
            metric.observe(value)

    def _metric(self, one: Series, labels: dict[str, str]) -> _Metric:
        if one.name not in self._metrics:
            self._metrics[one.name] = self._created(one)
        metric = self._metrics[one.name]
        return metric.labels(**labels) if one.labels else metric

    def _created(self, one: Series) -> _Metric:
        about = one.name, one.help, one.labels
        if one.kind is Kind.COUNTER:
            return Counter(*about, registry=self._registry)
        if one.kind is Kind.GAUGE:
            return Gauge(*about, registry=self._registry, multiprocess_mode=one.across.value)
        return Histogram(*about, registry=self._registry, buckets=one.buckets)


def folder_for(base: Path) -> Path:
    """The folder of this version's series: files of others must not be mixed with them."""
    defined = [one for one in vars(series).values() if isinstance(one, Series)]
    return base / hashlib.sha256(repr(defined).encode()).hexdigest()[:12]
