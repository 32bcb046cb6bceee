"""A network of any size begins with what the base model knows, as far as it has room for it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from transformers import BertConfig, BertModel

from models.training.bases import minilm
from models.training.bodies import TRIALS
from models.training.start import Body, layout_model, text_model

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"word{number}" for number in range(60))]
WIDTH = 48 * 2


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, torch.Tensor]:
    """A base model of four layers; its folder is that of the network, too, so both have the same vocabulary."""
    torch.manual_seed(0)
    shape: dict[str, Any] = {"num_hidden_layers": 4, "num_attention_heads": 3, "intermediate_size": 4 * WIDTH}
    network = BertModel(BertConfig(vocab_size=len(WORDS), hidden_size=WIDTH, **shape))
    save_file({name: each.contiguous() for name, each in network.state_dict().items()}, tmp_path / "model.safetensors")
    Tokenizer(WordPiece({word: index for index, word in enumerate(WORDS)}, unk_token="[UNK]")).save(
        str(tmp_path / "tokenizer.json")
    )
    monkeypatch.setattr(minilm, "base_folder", lambda: tmp_path)
    return load_file(tmp_path / "model.safetensors")


BODY = Body(layers=(0, 2), width=WIDTH)
QUERY = "encoder.layer.{}.attention.self.query.weight"


def test_layers_are_taken_in_order_and_numbered_again(base: dict[str, torch.Tensor], tmp_path: Path) -> None:
    for prefix, made in (("bert", text_model), ("layoutlmv3", layout_model)):
        model = made(tmp_path, BODY).state_dict()
        assert torch.equal(model[f"{prefix}.{QUERY.format(0)}"], base[QUERY.format(0)])
        assert torch.equal(model[f"{prefix}.{QUERY.format(1)}"], base[QUERY.format(2)])
        assert f"{prefix}.{QUERY.format(2)}" not in model
        words = model[f"{prefix}.embeddings.word_embeddings.weight"][: len(WORDS)]
        assert torch.equal(words, base["embeddings.word_embeddings.weight"])


def test_a_body_that_is_not_pre_trained_knows_only_the_words(base: dict[str, torch.Tensor], tmp_path: Path) -> None:
    model = text_model(tmp_path, replace(BODY, pretrained=False)).state_dict()
    assert not torch.equal(model[f"bert.{QUERY.format(0)}"], base[QUERY.format(0)])
    assert torch.equal(
        model["bert.embeddings.word_embeddings.weight"][: len(WORDS)], base["embeddings.word_embeddings.weight"]
    )


def test_a_narrower_body_keeps_how_words_differ_as_far_as_it_can(base: dict[str, torch.Tensor], tmp_path: Path) -> None:
    """With as many components as there are words, nothing but rounding is lost."""
    vectors = base["embeddings.word_embeddings.weight"]
    vectors -= vectors.mean(dim=0)
    narrow = text_model(tmp_path, replace(BODY, width=64)).state_dict()["bert.embeddings.word_embeddings.weight"]
    assert narrow.shape[1] == 64
    whole, part = torch.cdist(vectors, vectors), torch.cdist(narrow[: len(WORDS)], narrow[: len(WORDS)])
    assert torch.allclose(whole, part, rtol=0.02, atol=0.01)


def test_trials_have_folders_of_their_own() -> None:
    assert len({trial.name for trial in TRIALS}) == len(TRIALS)
