"""Any checkpoint that runs here can be fine-tuned, and is then read by its adapter without further settings."""

from pathlib import Path

import pytest
import torch

from benchmarks.adapters.blank import kinds
from models.checkpoint import find_checkpoint
from models.chosen import chosen_model
from models.config import Adapter, ModelConfig, ModelError
from models.loading import EXTRACTOR, load_model
from models.network import open_checkpoint
from models.training.drawn import with_drawings
from models.training.labelled import LabelledDocument
from models.training.tuning.files import write
from models.training.tuning.loop import TuningResult, fine_tune
from models.training.tuning.sequences import written_form
from models.training.tuning.task import TuningTask
from models.training.tuning.tasks import open_task
from serve_app.domain.labels import TAGS
from tests.models.adapters.pages import document_of, page_of
from tests.support.foreign import KINDS, SCALE, write_foreign

WORDS = ("Acme", "Ltd.", "No.", "4711", "Total", "9.50")
TAGGED = ("B-SELLER", "I-SELLER", "O", "B-INVOICE_NUMBER", "O", "B-TOTAL")
SAMPLE = LabelledDocument(document_of(*WORDS), (TAGGED,))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The networks see 32 by 32 pixels of pictures, and need no careful start."""
    monkeypatch.setattr("models.training.drawn.LONG_SIDE", 80)
    monkeypatch.setattr("models.training.tuning.loop.WARM_UP_STEPS", 1)


def task(kind: str, folder: Path) -> TuningTask:
    config = ModelConfig(adapter=KINDS[kind].adapter, checkpoint=str(write_foreign(kind, folder)))
    return open_task(open_checkpoint(find_checkpoint(config)), config)


def tuned(task: TuningTask, documents: int) -> TuningResult:
    torch.manual_seed(0)
    return fine_tune(task, lambda _: SAMPLE, documents=documents, rate=0.01, report=lambda _: None)


@pytest.mark.parametrize("kind", kinds(SCALE))
def test_a_checkpoint_learns_and_is_served_as_it_was_written(kind: str, tmp_path: Path) -> None:
    learning = task(kind, tmp_path / "blank")
    documents = 160 if kind == "donut" or "pictures" in kind else 320
    result = tuned(learning, documents)
    assert result.documents >= documents
    assert result.last_loss < 0.9 * result.first_loss
    model = load_model(chosen_model(str(write(learning, KINDS[kind].adapter, "tuned", tmp_path / "tuned")), EXTRACTOR))
    assert model.revision.startswith("tuned-")
    document = with_drawings(SAMPLE.document) if model.needs_pictures else SAMPLE.document
    (reading,) = model.read([document])
    reading.check_against(document)
    if kind in ("layoutlm", "bert"):
        best = [TAGS[index] for index in reading.pages[0].scores.argmax(axis=1)]
        assert best == list(TAGGED), "it has learnt its only page by heart"


def test_the_course_stops_when_its_time_is_over(tmp_path: Path) -> None:
    learning = task("bert", tmp_path)
    result = fine_tune(learning, lambda _: SAMPLE, documents=10**9, minutes=1e-9, rate=0.01, report=lambda _: None)
    assert result.documents == 16, "one batch"


def test_words_that_nobody_labelled_teach_nothing(tmp_path: Path) -> None:
    unknown = LabelledDocument(SAMPLE.document, (("?",) * len(WORDS),))
    learning = task("bert", tmp_path)
    before = {name: each.clone() for name, each in learning.network.named_parameters()}
    result = fine_tune(learning, lambda _: unknown, documents=32, rate=0.01, report=lambda _: None)
    assert result.documents == 32
    assert all(torch.equal(before[name], each) for name, each in learning.network.named_parameters())


def test_that_there_is_no_answer_is_learnt_only_where_that_is_known(tmp_path: Path) -> None:
    learning = task("bert questions", tmp_path)
    partly = LabelledDocument(SAMPLE.document, (("?", "?", "O", "?", "O", "B-TOTAL"),))
    batch, _ = next(learning.batches(lambda _: partly, 0))
    assert (batch["end_positions"] > 0).all()
    batch, _ = next(learning.batches(lambda _: SAMPLE, 0))
    assert (batch["end_positions"] == 0).any()


def test_a_donut_writes_values_with_their_labels() -> None:
    assert written_form(page_of(*WORDS), TAGGED) == (
        "<s_SELLER>Acme Ltd.</s_SELLER><s_INVOICE_NUMBER>4711</s_INVOICE_NUMBER><s_TOTAL>9.50</s_TOTAL>"
    )
    assert written_form(page_of("a", "b"), ("B-TOTAL", "B-TOTAL")) == "<s_TOTAL>a</s_TOTAL><s_TOTAL>b</s_TOTAL>"


def test_a_model_behind_a_server_is_not_trained_here(tmp_path: Path) -> None:
    config = ModelConfig.model_validate(
        {"adapter": "chat", "checkpoint": "m", "endpoint": {"url": "http://127.0.0.1:1/v1"}}
    )
    files = open_checkpoint(
        find_checkpoint(ModelConfig(adapter=Adapter.TEXT_TOKENS, checkpoint=str(write_foreign("bert", tmp_path))))
    )
    with pytest.raises(ModelError, match="trained where it runs"):
        open_task(files, config)
