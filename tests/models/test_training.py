"""Training sees what it should: labels on the right tokens, batches within budget, and a loss that falls."""

import random
from functools import partial
from itertools import islice
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForTokenClassification

from models.encoding import LayoutEncoder
from models.fused_attention import fuse_attention
from models.loading import Adapter, ModelConfig, load_model
from models.pieces import WordPieces
from models.token_inputs import TokenInputs
from models.training.examples import IGNORED, TAG_IDS, TrainingBatches, echoed, examples_of
from models.training.export import export
from models.training.generator import generate_training
from models.training.optimiser import BODY, NEW, RELATIVE, freeze_words, optimiser, set_rates
from models.training.validation import validate
from tests.support.checkpoints import write_layout_checkpoint


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_layout_checkpoint(tmp_path_factory.mktemp("checkpoint"))


@pytest.fixture(scope="module")
def encoder(checkpoint: Path) -> LayoutEncoder:
    return LayoutEncoder(WordPieces(checkpoint))


def batches(encoder: LayoutEncoder, first_seed: int = 0) -> TrainingBatches:
    inputs = TokenInputs(encoder, "layoutlmv3", uses_boxes=True)
    return TrainingBatches(partial(generate_training), inputs, token_budget=1024, first_seed=first_seed, pool=8)


def test_the_first_token_of_a_word_carries_its_tag(encoder: LayoutEncoder) -> None:
    sample = generate_training(3)
    page, tags = sample.document.pages[0], sample.tags[0]
    example = next(iter(examples_of(sample, encoder, random.Random(0))))
    tagged = [label for label in example.labels if label != IGNORED]
    sequence = encoder.encode(page)
    expected = [TAG_IDS[tags[w]] for w, token in sequence.first if example.window.start <= token < example.window.end]
    assert len(sample.document.pages) == 1, "the seed gives a document of one page"
    assert tagged == expected


def test_batches_stay_within_the_token_budget_and_count_every_document(encoder: LayoutEncoder) -> None:
    seen, totals = 0, []
    for batch, documents in islice(batches(encoder), 12):
        rows, tokens = batch["input_ids"].shape
        assert rows == 1 or rows * tokens <= 1024
        assert batch["bbox"].shape == (rows, tokens, 4)
        assert batch["labels"].shape == (rows, tokens)
        seen += documents
        totals.append(seen)
    assert 8 in totals, "the batches of a pool stand for all of its documents"


def test_a_seed_gives_the_same_batches_again(encoder: LayoutEncoder) -> None:
    for (one, _), (other, _) in zip(islice(batches(encoder, 40), 3), islice(batches(encoder, 40), 3), strict=True):
        assert torch.equal(one["input_ids"], other["input_ids"])
        assert torch.equal(one["labels"], other["labels"])


def test_new_parts_learn_faster_than_the_body_and_words_stay_frozen(checkpoint: Path) -> None:
    model = AutoModelForTokenClassification.from_pretrained(checkpoint)
    freeze_words(model)
    rates = {group["base_lr"] for group in optimiser(dict(model.named_parameters())).param_groups}
    assert rates == {BODY, NEW, RELATIVE}
    assert {group["base_lr"] for group in optimiser(dict(model.named_parameters()), 0.5).param_groups} == {
        BODY / 2,
        NEW / 2,
        RELATIVE / 2,
    }
    frozen = [name for name, parameter in model.named_parameters() if not parameter.requires_grad]
    assert frozen == ["layoutlmv3.embeddings.word_embeddings.weight"]


def test_rates_warm_up_stay_and_fall_at_the_end(checkpoint: Path) -> None:
    steps = optimiser(dict(AutoModelForTokenClassification.from_pretrained(checkpoint).named_parameters()))
    set_rates(steps, step=0, progress=0.0)
    first = steps.param_groups[0]["lr"]
    set_rates(steps, step=100, progress=0.0)
    full = steps.param_groups[0]["lr"]
    set_rates(steps, step=1000, progress=0.79)
    assert steps.param_groups[0]["lr"] == full == steps.param_groups[0]["base_lr"]
    set_rates(steps, step=1000, progress=0.9)
    assert first < steps.param_groups[0]["lr"] < full


def test_the_loss_falls_and_the_biases_of_places_learn(checkpoint: Path, encoder: LayoutEncoder) -> None:
    torch.manual_seed(0)
    model = fuse_attention(AutoModelForTokenClassification.from_pretrained(checkpoint))
    places = model.get_parameter("layoutlmv3.encoder.rel_pos_x_bias.weight")
    before, steps = places.detach().clone(), optimiser(dict(model.named_parameters()))
    losses = []
    for batch, _ in islice(batches(encoder), 40):
        loss = model(**batch).loss
        loss.backward()
        steps.step()
        steps.zero_grad()
        losses.append(float(loss.detach()))
    assert sum(losses[-10:]) < 0.85 * sum(losses[:10])
    assert not torch.equal(before, places)


def test_an_exported_run_is_a_checkpoint_that_reads(checkpoint: Path, tmp_path: Path) -> None:
    model = AutoModelForTokenClassification.from_pretrained(checkpoint)
    (tmp_path / "run").mkdir()
    for name in ("tokenizer.json", "tokenizer_config.json"):
        source = checkpoint / name
        (tmp_path / "run" / name).write_bytes(source.read_bytes() if source.exists() else b"{}")
    revision = export(model, tmp_path / "run", tmp_path / "weights", "extractor")
    loaded = load_model(ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint=str(tmp_path / "weights")))
    assert loaded.revision == revision
    scores = validate(loaded, [generate_training(seed) for seed in range(3)])
    assert 0 <= scores.overall <= 1


def test_a_share_of_the_batches_is_learned_twice_and_counted_once() -> None:
    fresh = [({"labels": torch.tensor([number])}, 4) for number in range(2000)]
    learned = list(echoed(fresh, 0.5))
    numbers = [int(batch["labels"]) for batch, _ in learned]
    assert sum(count for _, count in learned) == 8000
    assert 0.4 < len(learned) / len(fresh) - 1 < 0.6
    assert max(map(numbers.count, set(numbers))) == 2
    assert list(echoed(fresh, 0.0)) == fresh
