"""Models read whole documents, whatever their length, and answer the same for the same page."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForTokenClassification

from models.encoding import NO_BOX, LayoutEncoder, TextEncoder
from models.fused_attention import fuse_attention
from models.loading import (
    EXTRACTOR,
    VERIFIER,
    WEIGHTS,
    Adapter,
    ModelConfig,
    ModelError,
    Precision,
    RuntimeKind,
    load_model,
)
from models.pieces import WordPieces
from models.token_model import TokenModel
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.labels import TAGS
from tests.support.checkpoints import write_layout_checkpoint, write_text_checkpoint


@pytest.fixture(scope="module", params=[Adapter.LAYOUT_TOKENS, Adapter.TEXT_TOKENS])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> TokenModel:
    folder: Path = tmp_path_factory.mktemp("checkpoint")
    write = write_layout_checkpoint if request.param is Adapter.LAYOUT_TOKENS else write_text_checkpoint
    return load_model(ModelConfig(adapter=request.param, checkpoint=str(write(folder)), revision="tiny-1"))


def page_of(words: int, number: int = 1) -> Page:
    return Page(
        number,
        600.0,
        800.0,
        tuple(
            Word(f"w{n}", Box(0.1 * (n % 8), 0.02 * (n // 8 % 40), 0.1 * (n % 8) + 0.05, 0.02 * (n // 8 % 40) + 0.01))
            for n in range(words)
        ),
    )


def test_every_word_gets_probabilities(model: TokenModel) -> None:
    document = Document((page_of(30), page_of(900, 2), page_of(0, 3)))
    (reading,) = model.read([document])
    reading.check_against(document)
    assert reading.tags == TAGS
    assert reading.revision == "tiny-1"
    for page in reading.pages:
        assert np.allclose(page.scores.sum(axis=1), 1, atol=1e-4)


def test_a_batch_reads_like_each_document_alone(model: TokenModel) -> None:
    documents = [Document((page_of(words),)) for words in (5, 120, 40)]
    together = model.read(documents)
    for document, reading in zip(documents, together, strict=True):
        (alone,) = model.read([document])
        assert np.allclose(alone.pages[0].scores, reading.pages[0].scores, atol=1e-4)


def test_an_empty_batch_is_no_work(model: TokenModel) -> None:
    assert model.read([]) == []


@pytest.mark.parametrize("config", [EXTRACTOR, VERIFIER], ids=lambda config: str(config.checkpoint))
def test_a_bundled_model_says_what_the_library_alone_computes(config: ModelConfig) -> None:
    words = ("Invoice", "No.", "RE-2026/4711", "Müller", "GmbH", "Total", "1.190,00", "EUR")
    places = [(0.1 + 0.4 * (n % 2), 0.1 + 0.03 * (n // 2)) for n in range(len(words))]
    page = Page(
        1, 600.0, 800.0, tuple(Word(w, Box(x, y, x + 0.1, y + 0.02)) for w, (x, y) in zip(words, places, strict=True))
    )
    pieces = WordPieces(WEIGHTS / config.checkpoint)
    sequence = (LayoutEncoder(pieces) if config is EXTRACTOR else TextEncoder(pieces)).encode(page)
    inputs = {"input_ids": torch.tensor([[pieces.start, *sequence.ids, pieces.end]])}
    if config is EXTRACTOR:
        inputs["bbox"] = torch.tensor([[NO_BOX, *sequence.boxes, NO_BOX]])
    network = AutoModelForTokenClassification.from_pretrained(
        WEIGHTS / config.checkpoint, dtype=torch.float32, local_files_only=True
    ).eval()
    with torch.inference_mode():
        expected = torch.softmax(network(**inputs).logits[0, [token + 1 for _, token in sequence.first]], -1).numpy()
    # That the other runtimes read as torch does is tested with their graphs.
    exact = config.model_copy(update={"runtime": RuntimeKind.TORCH, "precision": Precision.FLOAT32})
    (reading,) = load_model(exact).read([Document((page,))])
    assert np.allclose(reading.pages[0].scores[[word for word, _ in sequence.first]], expected, atol=1e-4)


def test_a_missing_checkpoint_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no model in .*nowhere"):
        load_model(ModelConfig(adapter=Adapter.TEXT_TOKENS, checkpoint=str(tmp_path / "nowhere")))


def test_the_fused_attention_computes_what_the_library_computes(tmp_path: Path) -> None:
    folder = write_layout_checkpoint(tmp_path)
    ours, theirs = (AutoModelForTokenClassification.from_pretrained(folder).eval() for _ in range(2))
    fuse_attention(ours)
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(5, 40, (2, 50), generator=generator)
    boxes = torch.randint(0, 400, (2, 50, 4), generator=generator).sort(-1).values
    mask = torch.ones_like(ids)
    mask[1, 30:] = 0
    inputs = {"input_ids": ids, "bbox": boxes, "attention_mask": mask}
    with torch.inference_mode():
        expected = theirs(**inputs).logits
        assert torch.allclose(ours(**inputs).logits[mask == 1], expected[mask == 1], atol=1e-5)
    assert torch.allclose(ours(**inputs).logits[mask == 1], expected[mask == 1], atol=1e-5), "with gradients, too"
