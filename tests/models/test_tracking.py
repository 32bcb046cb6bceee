"""Metrics go where one setting says, and never end what they describe."""

import importlib
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from models.evaluation import tracking
from models.evaluation.tracking import TrackingError, numbers_of, tracked


class Recorder(SimpleNamespace):
    """Stands in for a client of metrics: keeps the calls of every name, and answers with itself."""

    def __init__(self) -> None:
        super().__init__(calls=[])

    def __getattr__(self, name: str) -> Any:
        def call(*values: Any, **named: Any) -> "Recorder":
            self.calls.append((name, *values, *named.values()))
            return self

        return call


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """The client of each program is a recorder."""
    recorder = Recorder()
    for name in ("mlflow", "wandb", "torch.utils.tensorboard"):
        module = ModuleType(name)
        module.__getattr__ = recorder.__getattr__  # type: ignore[method-assign]
        monkeypatch.setitem(sys.modules, name, module)
    return recorder


@pytest.mark.parametrize(
    ("target", "sent"),
    [
        ("tensorboard:runs/board", ("add_scalar", "loss", 0.5, 20)),
        ("mlflow:sqlite:///runs.db", ("log_metrics", {"loss": 0.5}, 20)),
        ("wandb:invoices", ("log", {"loss": 0.5}, 20)),
    ],
)
def test_the_setting_names_the_program_and_the_place(
    target: str, sent: tuple[object, ...], client: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACK_METRICS", target)
    with tracked("train", {"documents": 100}) as track:
        track({"loss": 0.5, "model": "extractor"}, 20)
    assert sent in client.calls
    place = target.partition(":")[2]
    assert any(place in str(value) for call in client.calls for value in call)
    assert client.calls[-1][0] in ("close", "end_run", "finish")


def test_without_the_setting_nothing_is_imported_or_sent(client: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRACK_METRICS", raising=False)
    with tracked("train", {}) as track:
        track({"loss": 0.5}, 1)
    assert client.calls == []


def test_only_numbers_are_metrics() -> None:
    values = {"f1": 0.9, "f1 by label": {"TOTAL": 0.8}, "name": "one", "passed": True, "seen": 3}
    assert numbers_of(values) == {"f1": 0.9, "f1 by label/TOTAL": 0.8, "seen": 3.0}


@pytest.mark.parametrize("target", ["tensorbord:runs", "mlflow", "wandb:"])
def test_a_setting_that_names_nothing_is_refused_with_the_forms(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACK_METRICS", target)
    with pytest.raises(TrackingError, match=r"use tensorboard:FOLDER, mlflow:URI or wandb:PROJECT"), tracked("x", {}):
        pass


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    monkeypatch.setenv("TRACK_METRICS", "wandb:invoices")
    with pytest.raises(TrackingError, match="pip install wandb"), tracked("x", {}):
        pass


def test_a_program_that_goes_away_is_logged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def send(self, metrics: dict[str, float], step: int) -> None:
            raise ConnectionError("refused")

        def close(self) -> None:
            pass

    warnings: list[object] = []
    monkeypatch.setattr(tracking.log, "warning", lambda *values: warnings.append(values))
    monkeypatch.setattr(tracking, "_opened", lambda *values: Gone())
    monkeypatch.setenv("TRACK_METRICS", "mlflow:http://127.0.0.1:1")
    with tracked("x", {}) as track:
        track({"loss": 1.0}, 1)
        track({"loss": 0.9}, 2)
    assert len(warnings) == 1


def test_tensorboard_reads_what_was_sent(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = importlib.import_module("tensorboard.backend.event_processing.event_accumulator")
    monkeypatch.setenv("TRACK_METRICS", f"tensorboard:{tmp_path}")
    with tracked("train", {"documents": 2}) as track:
        track({"loss": 0.5}, 10)
    (run,) = tmp_path.iterdir()
    events = reader.EventAccumulator(str(run))
    events.Reload()
    assert [(each.step, each.value) for each in events.Scalars("loss")] == [(10, 0.5)]


def test_mlflow_reads_what_was_sent(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("TRACK_METRICS", f"mlflow:{tmp_path.as_uri()}")
    with tracked("train", {"documents": 2}) as track:
        track({"f1": {"TOTAL": 0.5}}, 10)
    (run,) = mlflow.search_runs(experiment_names=[tracking.EXPERIMENT], output_format="list")
    assert run.data.metrics == {"f1/TOTAL": 0.5}
    assert run.data.params == {"documents": "2"}
