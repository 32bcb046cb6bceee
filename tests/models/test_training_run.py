"""A training run resumes where it stopped, and exports an average that is better than its last step."""

import re
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from transformers import AutoModelForTokenClassification, PreTrainedModel

from models.fused_attention import fuse_attention
from models.registry.content import content_hash
from models.registry.provenance import read_provenance
from models.training import run as training
from models.training.inputs import OtherInputs
from models.training.mixture import RealShare
from models.training.optimiser import freeze_words, optimiser
from models.training.plan import PLANS
from models.training.provenance import generator_version
from models.training.run import Options, TrainingRun
from models.training.weights import TrainedWeights
from serve_app.domain.user_error import UserError
from tests.models.test_real_documents import line, write
from tests.support.checkpoints import write_layout_checkpoint


@pytest.fixture
def start(tmp_path: Path) -> Path:
    """A folder with a tiny trained extractor."""
    write_layout_checkpoint(tmp_path / "start" / "extractor")
    (tmp_path / "start" / "extractor" / "tokenizer_config.json").write_text("{}")
    return tmp_path / "start"


@pytest.fixture
def network(start: Path) -> PreTrainedModel:
    model = fuse_attention(AutoModelForTokenClassification.from_pretrained(start / "extractor"))
    freeze_words(model)
    return model


def learn(weights: TrainedWeights, steps: int) -> None:
    """Move every weight by about the same in each step."""
    adam = optimiser(weights.masters)
    for _ in range(steps):
        for parameter in weights.model.parameters():
            if parameter.requires_grad:
                parameter.grad = torch.ones_like(parameter)
        weights.take_gradients()
        adam.step()
        weights.publish()


def test_small_steps_are_not_lost_in_half_precision(network: PreTrainedModel) -> None:
    name = "layoutlmv3.encoder.layer.0.attention.self.query.weight"
    before = network.get_parameter(name).detach().clone()
    weights = TrainedWeights(network, torch.bfloat16)
    assert network.dtype == torch.bfloat16
    learn(weights, 3)
    moved = before - weights.masters[name].detach()
    assert torch.allclose(moved, torch.full_like(moved, 9e-4), rtol=0.1), "three steps of 3e-4"


def test_the_average_stands_in_and_the_weights_come_back(network: PreTrainedModel) -> None:
    name = (
        "classifier.weight" if "classifier.weight" in dict(network.named_parameters()) else "classifier.out_proj.weight"
    )
    weights = TrainedWeights(network, torch.float32)
    first = weights.masters[name].detach().clone()
    learn(weights, 5)
    last = network.get_parameter(name).detach().clone()
    with weights.averaged() as model:
        shown = model.get_parameter(name).detach().clone()
    assert torch.equal(network.get_parameter(name), last)
    assert ((first > shown) & (shown > last)).all(), "between the first and the last"


def test_a_run_goes_on_where_it_stopped(start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "VALIDATION_DOCUMENTS", 2)
    said: list[str] = []
    first = TrainingRun(PLANS["extractor"], tmp_path / "run", Options(documents=64, start=start), said.append)
    first.train()
    again = TrainingRun(PLANS["extractor"], tmp_path / "run", Options(documents=64, start=start), said.append)
    assert (again.seen, again.step, again.weights.updates) == (first.seen, first.step, first.weights.updates)
    assert all(torch.equal(first.weights.average[name], again.weights.average[name]) for name in first.weights.average)
    assert "resumed after" in said[-1]
    revision = again.export(tmp_path / "weights")
    assert AutoModelForTokenClassification.from_pretrained(tmp_path / "weights").config.revision == revision
    known = read_provenance(tmp_path / "weights")
    assert (known.documents, known.data, known.generator) == (
        first.seen,
        ["generated (extractor)"],
        generator_version(),
    )
    assert "f1" in known.metrics


def test_a_run_stops_after_its_minutes(start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "VALIDATION_DOCUMENTS", 2)
    options = Options(documents=1_000_000, minutes=1e-6, start=start)
    run = TrainingRun(PLANS["extractor"], tmp_path / "run", options, lambda _: None)
    run.train()
    assert run.step == 1


def test_the_rate_of_a_last_run_falls_within_its_minutes(
    start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "VALIDATION_DOCUMENTS", 2)
    # A second passes whenever the run looks at the clock.
    monkeypatch.setattr(training, "time", SimpleNamespace(monotonic=count().__next__))
    progress: list[float] = []
    monkeypatch.setattr(training, "set_rates", lambda _, __, part, ___: progress.append(part))
    options = Options(documents=1_000_000, minutes=0.15, is_last=True, start=start)
    TrainingRun(PLANS["extractor"], tmp_path / "run", options, lambda _: None).train()
    assert progress[0] < 0.1 < 0.5 < progress[-1]
    assert progress == sorted(progress)


@pytest.fixture
def begun(start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TrainingRun:
    """A run that has trained on one labelled document."""
    monkeypatch.setattr(training, "VALIDATION_DOCUMENTS", 1)
    (tmp_path / "real").mkdir()
    write(tmp_path / "real", line())
    run = TrainingRun(PLANS["extractor"], tmp_path / "run", options_of(start, tmp_path / "real"), lambda _: None)
    run.train()
    return run


def options_of(start: Path, real: Path, **changes: Any) -> Options:
    return replace(Options(documents=2, start=start, real=(RealShare(real, 0.5),)), **changes)


def open_again(run: TrainingRun, options: Options) -> TrainingRun:
    return TrainingRun(run.plan, run.folder, options, lambda _: None)


def test_a_run_goes_on_only_with_the_data_it_was_begun_with(begun: TrainingRun, start: Path, tmp_path: Path) -> None:
    write(tmp_path / "real", line(id="another"))
    with pytest.raises(OtherInputs, match=r"labelled documents.*--runs.*delete"):
        open_again(begun, options_of(start, tmp_path / "real"))


def test_a_run_goes_on_only_from_the_weights_it_was_begun_with(begun: TrainingRun, start: Path, tmp_path: Path) -> None:
    write_layout_checkpoint(start / "extractor", seed=1)
    with pytest.raises(OtherInputs, match="start weights"):
        open_again(begun, options_of(start, tmp_path / "real"))
    with pytest.raises(OtherInputs, match="start weights"):
        open_again(begun, replace(begun.options, start=None))


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("rate", {"rate": 0.5}),
        ("warm-up", {"warm_up": 7}),
        ("dropout", {"dropout": 0.2}),
        ("echo", {"echo": 0.5}),
        ("labelled documents", {"real": ()}),
    ],
)
def test_a_run_goes_on_only_with_its_configuration(name: str, changes: dict[str, Any], begun: TrainingRun) -> None:
    with pytest.raises(OtherInputs, match=name):
        open_again(begun, replace(begun.options, **changes))


def test_a_run_goes_on_only_with_its_seed(begun: TrainingRun) -> None:
    with pytest.raises(OtherInputs, match="seed"):
        TrainingRun(replace(begun.plan, first_seed=5), begun.folder, begun.options, lambda _: None)


def test_a_run_may_go_on_for_longer(begun: TrainingRun) -> None:
    again = open_again(begun, replace(begun.options, documents=1000, minutes=5.0, workers=1, validation_minutes=1.0))
    assert again.seen == begun.seen


def test_a_run_of_unknown_inputs_is_not_gone_on_with(begun: TrainingRun) -> None:
    (begun.folder / "inputs.json").unlink()
    with pytest.raises(OtherInputs, match="did not note"):
        open_again(begun, begun.options)


def test_nothing_is_exported_without_training(start: Path, tmp_path: Path) -> None:
    run = TrainingRun(PLANS["extractor"], tmp_path / "run", Options(documents=2, start=start), lambda _: None)
    with pytest.raises(UserError, match="nothing was trained"):
        run.export(tmp_path / "weights")
    assert not (tmp_path / "weights").exists()


def test_provenance_names_the_data_by_hash(begun: TrainingRun, start: Path, tmp_path: Path) -> None:
    begun.export(tmp_path / "weights")
    known = read_provenance(tmp_path / "weights")
    assert known.base == f"extractor (sha256 {content_hash(start / 'extractor')})"
    (_, labelled) = known.data or []
    assert re.fullmatch(r"real \(sha256 [0-9a-f]{64}\)", labelled)
