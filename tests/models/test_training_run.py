"""A training run resumes where it stopped, and exports an average that is better than its last step."""

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForTokenClassification, PreTrainedModel

from models.fused_attention import fuse_attention
from models.registry.provenance import read_provenance
from models.training import run as training
from models.training.optimiser import freeze_words, optimiser
from models.training.plan import PLANS
from models.training.provenance import generator_version
from models.training.run import Options, TrainingRun
from models.training.weights import TrainedWeights
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
    progress: list[float] = []
    monkeypatch.setattr(training, "set_rates", lambda _, __, part, ___: progress.append(part))
    options = Options(documents=1_000_000, minutes=0.15, is_last=True, start=start)
    TrainingRun(PLANS["extractor"], tmp_path / "run", options, lambda _: None).train()
    assert progress[0] < 0.1 < 0.5 < progress[-1]
    assert progress == sorted(progress)
