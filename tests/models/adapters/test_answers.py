"""Questions about a document become labels of the words that answer them."""

from pathlib import Path

import numpy as np
import pytest

from models.adapters.answers import MAX_WORDS, WordScores, best_answer
from models.adapters.questions import QuestionEncoder
from models.checkpoint import find_checkpoint
from models.loading import Adapter, ModelConfig, ModelError, load_model
from models.network import open_checkpoint
from serve_app.domain.document import Document
from serve_app.domain.labels import TAGS, Label
from tests.models.adapters.pages import page_of
from tests.support.foreign import write_foreign

WORDS = ["Total", "9.50", "No.", "4711", "Acme"]


def scores(begins: list[float], ends: list[float], nothing: float = -9.0) -> WordScores:
    made = WordScores.nothing(len(begins))
    tokens = np.array([-1, *range(len(begins))])
    made.add(tokens, np.array([nothing, *begins], np.float32), np.array([nothing, *ends], np.float32))
    return made


def test_the_answer_is_the_likeliest_span_of_all_pages() -> None:
    answer = best_answer([scores([0, 1], [0, 1]), scores([9, 0, 0], [0, 9, 0])])
    assert answer is not None
    assert (answer.page, answer.first, answer.last) == (1, 0, 1)
    assert answer.probability > 0.9


def test_an_answer_ends_after_it_begins_and_is_short() -> None:
    answer = best_answer([scores([0, 5], [5, 0])])
    assert answer is not None
    assert answer.first <= answer.last
    far = [0.0] * (MAX_WORDS + 5)
    answer = best_answer([scores([9, *far], [*far, 9])])
    assert answer is not None
    assert answer.last - answer.first < MAX_WORDS


def test_a_model_that_says_there_is_no_answer_is_believed() -> None:
    answer = best_answer([scores([1, 0], [1, 0], nothing=9)])
    assert answer is not None
    assert answer.probability < 0.01


def test_no_words_are_no_answer() -> None:
    assert best_answer([]) is None
    assert best_answer([scores([], [])]) is None


KINDS = ["bert questions", "roberta questions", "layoutlm questions"]


@pytest.fixture(scope="module", params=KINDS)
def checkpoint(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_foreign(request.param, tmp_path_factory.mktemp("checkpoint"))


def config(checkpoint: Path, **questions: str) -> ModelConfig:
    values = {"adapter": Adapter.QUESTION_ANSWERING, "checkpoint": str(checkpoint), "revision": "asked"}
    return ModelConfig.model_validate({**values, "questions": questions or {"TOTAL": "total?", "TAX": "tax?"}})


def test_the_words_of_an_answer_get_the_label_of_its_question(checkpoint: Path) -> None:
    document = Document((page_of(*WORDS), page_of(number=2), page_of(*WORDS * 30, number=3)))
    (reading,) = load_model(config(checkpoint)).read([document])
    reading.check_against(document)
    assert reading.revision == "asked"
    assert all(np.allclose(page.scores.sum(axis=1), 1, atol=1e-5) for page in reading.pages)
    asked = [TAGS.index(f"{prefix}-{label}") for label in (Label.TOTAL, Label.TAX) for prefix in "BI"]
    given = np.concatenate([page.scores for page in reading.pages])
    assert set(np.flatnonzero(given.max(axis=0))) <= {0, *asked}
    assert all(given[:, column].max() > 0 for column in (asked[0], asked[2]))


def test_documents_are_answered_as_each_alone(checkpoint: Path) -> None:
    model = load_model(config(checkpoint))
    documents = [Document((page_of(*WORDS * times),)) for times in (1, 9)]
    for document, reading in zip(documents, model.read(documents), strict=True):
        (alone,) = model.read([document])
        assert np.allclose(alone.pages[0].scores, reading.pages[0].scores, atol=1e-5)


def test_every_word_of_a_long_page_is_seen_once_and_more_in_windows_that_fit(checkpoint: Path) -> None:
    encoder = QuestionEncoder(open_checkpoint(find_checkpoint(config(checkpoint))))
    windows = encoder.windows(0, "What is it?", 0, page_of(*WORDS * 30))
    assert {word for window in windows for word in window.words} == {-1, *range(5 * 30)}
    assert len(windows) > 5
    assert max(len(window) for window in windows) <= 64
    assert all(
        any(box) == (word >= 0) or box == (1000, 1000, 1000, 1000)
        for window in windows
        for box, word in zip(window.boxes, window.words, strict=True)
        if word != 0
    )


def test_a_question_longer_than_half_a_window_is_refused(checkpoint: Path) -> None:
    with pytest.raises(ModelError, match="the question is too long"):
        load_model(config(checkpoint, TOTAL="why " * 20))


def test_a_model_without_the_head_for_answers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no weights for qa_outputs"):
        load_model(config(write_foreign("bert", tmp_path / "bert")))
    with pytest.raises(ModelError, match="a bros model does not answer questions"):
        load_model(config(write_foreign("bros", tmp_path / "bros")))
