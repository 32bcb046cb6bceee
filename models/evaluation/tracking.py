"""Metrics of training and evaluation, sent to the program in which an engineer already watches them.

`TRACK_METRICS` names it: `tensorboard:FOLDER`, `mlflow:URI` or `wandb:PROJECT`. Its package is imported only then.
"""

import importlib
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from serve_app.domain.clock import utc_now
from serve_app.domain.user_error import UserError

SETTING = "TRACK_METRICS"
EXPERIMENT = "invoices"

log = logging.getLogger(__name__)

Track = Callable[[Mapping[str, Any], int], None]
"""Sends the numbers among some values; the second argument is the step, such as the documents seen. Names of nested
values are joined by a slash."""


class TrackingError(UserError):
    """Metrics cannot be sent as the setting says."""


class Tracker(Protocol):
    """A run in a program that shows metrics."""

    def send(self, metrics: Mapping[str, float], step: int) -> None: ...

    def close(self) -> None: ...


class TensorBoard:
    """Event files below a folder."""

    def __init__(self, folder: str, run: str, settings: Mapping[str, str]) -> None:
        board = _imported("torch.utils.tensorboard", "tensorboard", "scripts/setup.sh tensorboard")
        self._writer = board.SummaryWriter(str(Path(folder) / run))
        self._writer.add_text("settings", "\n".join(f"- {name}: {value}" for name, value in settings.items()))

    def send(self, metrics: Mapping[str, float], step: int) -> None:
        for name, value in metrics.items():
            self._writer.add_scalar(name, value, step)

    def close(self) -> None:
        self._writer.close()


class MLflow:
    """A run at a tracking server, or in a database or folder, as its URI says."""

    def __init__(self, uri: str, run: str, settings: Mapping[str, str]) -> None:
        self._mlflow = _imported("mlflow", "mlflow-skinny", "scripts/setup.sh mlflow")
        self._mlflow.set_tracking_uri(uri)
        self._mlflow.set_experiment(EXPERIMENT)
        self._mlflow.start_run(run_name=run)
        self._mlflow.log_params(settings)

    def send(self, metrics: Mapping[str, float], step: int) -> None:
        self._mlflow.log_metrics(dict(metrics), step=step)

    def close(self) -> None:
        self._mlflow.end_run()


class WeightsAndBiases:
    """A run in a project; the environment has the key and the address, as their client reads them."""

    def __init__(self, project: str, run: str, settings: Mapping[str, str]) -> None:
        wandb = _imported("wandb", "wandb", ".venv/bin/pip install wandb")
        self._run = wandb.init(project=project, name=run, config=dict(settings))

    def send(self, metrics: Mapping[str, float], step: int) -> None:
        self._run.log(dict(metrics), step=step)

    def close(self) -> None:
        self._run.finish()


_TRACKERS: Mapping[str, Callable[[str, str, Mapping[str, str]], Tracker]] = {
    "tensorboard": TensorBoard,
    "mlflow": MLflow,
    "wandb": WeightsAndBiases,
}


@contextmanager
def tracked(what: str, settings: Mapping[str, object]) -> Iterator[Track]:
    """Open a run named after what is measured and the present time, and close it in the end. Without the setting
    nothing is sent. Raise TrackingError if the run cannot be opened; an error after that is logged once, so that it
    never ends a training."""
    target = os.environ.get(SETTING)
    if not target:
        yield lambda values, step: None
        return
    tracker = _opened(target, f"{what}-{utc_now():%Y%m%d-%H%M%S}", {name: str(each) for name, each in settings.items()})
    failed = False

    def track(values: Mapping[str, Any], step: int) -> None:
        nonlocal failed
        try:
            tracker.send(numbers_of(values), step)
        except Exception as error:
            # The clients raise errors of many libraries.
            if not failed:
                log.warning("metrics are not sent: %s", error)
            failed = True

    try:
        yield track
    finally:
        tracker.close()


def numbers_of(values: Mapping[str, Any], prefix: str = "") -> dict[str, float]:
    """The numbers among values, with the names of nested ones joined by a slash."""
    found: dict[str, float] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            found |= numbers_of(value, f"{prefix}{name}/")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found[f"{prefix}{name}"] = float(value)
    return found


def _opened(target: str, run: str, settings: Mapping[str, str]) -> Tracker:
    kind, _, place = target.partition(":")
    if kind not in _TRACKERS or not place:
        forms = "tensorboard:FOLDER, mlflow:URI or wandb:PROJECT"
        raise TrackingError(f"{SETTING} is {target!r}; use {forms}")
    try:
        return _TRACKERS[kind](place, run, settings)
    except TrackingError:
        raise
    except Exception as error:
        raise TrackingError(f"{SETTING}={target}: {error}") from error


def _imported(module: str, package: str, install: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise TrackingError(f"{SETTING} needs the package {package}: {install}") from error
