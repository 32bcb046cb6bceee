"""Pre-training on masked words asks for a part of the words, and teaches the body to tell them."""

from functools import partial
from pathlib import Path

import torch
from transformers import AutoModelForTokenClassification, PreTrainedModel

from models.encoding import TextEncoder
from models.pieces import WordPieces
from models.token_inputs import TokenInputs
from models.training.examples import IGNORED, TrainingBatches
from models.training.generator import Profile, generate_training
from models.training.masked_words import MASKED, SHARE, Masking, pretrain
from models.training.optimiser import freeze_words
from tests.support.checkpoints import write_text_checkpoint


def test_a_part_of_the_words_is_asked_and_mostly_hidden() -> None:
    torch.manual_seed(0)
    masking = Masking(mask=4, spared=(0, 2, 3), vocabulary=1000)
    ids = torch.randint(10, 1000, (100, 200))
    ids[:, :5] = 2
    shown, asked = masking.hide(ids)
    is_asked = asked != IGNORED
    assert not is_asked[:, :5].any(), "start and end are never asked"
    assert torch.equal(asked[is_asked], ids[is_asked])
    assert torch.equal(shown[~is_asked], ids[~is_asked])
    assert abs(float(is_asked[:, 5:].float().mean()) - SHARE) < 0.01
    assert abs(float((shown[is_asked] == 4).float().mean()) - MASKED) < 0.02


def test_the_body_learns_and_the_words_and_the_head_stay(tmp_path: Path) -> None:
    checkpoint = write_text_checkpoint(tmp_path)
    model: PreTrainedModel = AutoModelForTokenClassification.from_pretrained(checkpoint)
    freeze_words(model)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    pieces = WordPieces(checkpoint)
    inputs = TokenInputs(TextEncoder(pieces), "bert", uses_boxes=False)
    generate = partial(generate_training, profile=Profile.VERIFIER)
    batches = TrainingBatches(generate, inputs, token_budget=1024, first_seed=0, pool=2)
    said: list[str] = []
    pretrain(model, batches, Masking.of(pieces, model.config.vocab_size), 4, said.append)
    assert said[0].startswith("masked words:")
    changed = {name for name, tensor in model.state_dict().items() if not torch.equal(tensor, before[name])}
    assert "bert.encoder.layer.0.attention.self.query.weight" in changed
    assert not any("word_embeddings" in name or name.startswith("classifier") for name in changed)
