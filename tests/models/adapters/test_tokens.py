"""Token classifiers of others, with and without places, read whole documents by the classes they were trained on."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer

from models.loading import Adapter, ModelConfig, ModelError, load_model
from models.token_model import TokenModel
from serve_app.domain.document import Document
from serve_app.domain.labels import TAGS
from tests.models.adapters.pages import document_of, page_of, picture
from tests.support.foreign import CLASSES, KINDS, LABEL_MAP, POSITIONS, write_foreign

LAYOUT = ["layoutlm", "bros", "lilt", "layoutlmv3"]
TEXT = ["bert", "roberta", "distilbert", "deberta", "modernbert"]
WORDS = ["Total", "to", "pay", "9.50", "EUR", "to", "store", "No.4711"]


def config(kind: str, folder: Path, **more: object) -> ModelConfig:
    checkpoint = str(write_foreign(kind, folder / "m"))
    return ModelConfig.model_validate(
        {"adapter": KINDS[kind].adapter, "checkpoint": checkpoint, "label_map": LABEL_MAP, **more}
    )


@pytest.fixture(scope="module", params=[*LAYOUT, *TEXT])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def model(kind: str, tmp_path_factory: pytest.TempPathFactory) -> TokenModel:
    return load_model(config(kind, tmp_path_factory.mktemp("checkpoint"), revision="one"))


def test_every_word_of_a_long_page_gets_probabilities_of_the_services_tags(model: TokenModel) -> None:
    document = Document((page_of(*WORDS), page_of(number=2), page_of(*WORDS * 20, number=3)))
    (reading,) = model.read([document])
    reading.check_against(document)
    assert (reading.tags, reading.revision) == (TAGS, "one")
    assert all(np.allclose(page.scores.sum(axis=1), 1, atol=1e-4) for page in reading.pages)


@pytest.mark.parametrize("kind", ["bert", "roberta", "deberta", "lilt", "layoutlm"])
def test_a_reading_is_what_the_library_says_of_the_first_token_of_each_word(kind: str, tmp_path: Path) -> None:
    # Told apart by the library's own way with words that are split already.
    chosen = config(kind, tmp_path)
    (reading,) = load_model(chosen).read([document_of(*WORDS)])
    prefix = {"add_prefix_space": True} if kind in {"roberta", "lilt"} else {}
    tokenizer = AutoTokenizer.from_pretrained(chosen.checkpoint, **prefix)
    encoded = tokenizer(WORDS, is_split_into_words=True, return_tensors="pt")
    words = encoded.word_ids()
    first = [words.index(number) for number in range(len(WORDS))]
    inputs = {"input_ids": encoded["input_ids"]}
    if kind in LAYOUT:
        boxes = [[0, 0, 0, 0], *([125 * word, 0, 125 * word + 100, 16] for word in words[1:-1])]
        inputs["bbox"] = torch.tensor([[*boxes, [1000] * 4 if kind == "layoutlm" else [0] * 4]])
    network = AutoModelForTokenClassification.from_pretrained(chosen.checkpoint).eval()
    with torch.inference_mode():
        expected = torch.softmax(network(**inputs).logits[0, first], -1).numpy()
    assert np.allclose(reading.pages[0].scores[:, TAGS.index("B-TOTAL")], expected[:, 1], atol=1e-5)
    assert np.allclose(reading.pages[0].scores[:, TAGS.index("I-SELLER")], expected[:, 4], atol=1e-5)


def test_windows_fit_the_positions_that_a_model_has(model: TokenModel) -> None:
    # One position too many would be an index error.
    (reading,) = model.read([document_of(*["1"] * 3 * POSITIONS)])
    assert len(reading.pages[0].scores) == 3 * POSITIONS


def test_a_model_that_looks_at_pages_is_given_their_pictures(tmp_path: Path) -> None:
    chosen = config("layoutlmv3 with pictures", tmp_path)
    model = load_model(chosen)
    assert model.needs_pictures
    light, dark = (
        model.read([Document((page_of(*WORDS, picture=picture(shade)),))])[0].pages[0].scores for shade in (255, 0)
    )
    assert not np.array_equal(light, dark)
    with pytest.raises(ValueError, match="page 1 has no picture"):
        model.read([document_of(*WORDS)])


def test_a_model_that_looks_at_pages_but_does_not_say_how_is_refused(tmp_path: Path) -> None:
    chosen = config("layoutlmv3 with pictures", tmp_path)
    (Path(chosen.checkpoint) / "preprocessor_config.json").unlink()
    with pytest.raises(ModelError, match="image processor"):
        load_model(chosen)


def test_an_adapter_refuses_a_model_of_another_kind(tmp_path: Path) -> None:
    folder = str(write_foreign("bert", tmp_path / "bert"))
    with pytest.raises(ModelError, match="layout_tokens is for bros, layoutlm, layoutlmv3, lilt; this checkpoint is a"):
        load_model(ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint=folder, label_map={"store": "SELLER"}))
    folder = str(write_foreign("lilt", tmp_path / "lilt"))
    with pytest.raises(ModelError, match="use the adapter layout_tokens"):
        load_model(ModelConfig(adapter=Adapter.TEXT_TOKENS, checkpoint=folder, label_map={"store": "SELLER"}))


def test_classes_that_nobody_explained_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"does not know: .*total\.price"):
        load_model(config("bert", tmp_path, label_map=None))


def test_a_checkpoint_without_a_trained_head_is_refused(tmp_path: Path) -> None:
    folder = str(write_foreign("bert questions", tmp_path / "questions"))
    config_file = Path(folder) / "config.json"
    config_file.write_text(config_file.read_text().replace('"LABEL_0"', '"TOTAL"'))
    with pytest.raises(ModelError, match=r"no weights for classifier\.bias, classifier\.weight"):
        load_model(ModelConfig(adapter=Adapter.TEXT_TOKENS, checkpoint=folder, label_map={"LABEL_0": "TOTAL"}))


def test_the_classes_of_the_test_are_those_of_the_map() -> None:
    assert {name.split("-")[-1] for name in CLASSES} - {"O"} == set(LABEL_MAP)
