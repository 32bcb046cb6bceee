"""A model that would answer nonsense does not pass."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from models.config import ModelError
from models.self_test import self_test
from serve_app.domain.document import Document
from serve_app.domain.labels import TAGS
from serve_app.domain.reading import PageReading, Reading

Change = Callable[[np.ndarray], np.ndarray]


class Scripted:
    """Answers "outside" to everything, modified by the test."""

    revision = "scripted"
    sha256 = ""
    needs_pictures = False

    def __init__(self, change: Change = lambda scores: scores, tags: tuple[str, ...] = TAGS) -> None:
        self._change = change
        self._tags = tags

    def read(self, documents: Sequence[Document]) -> list[Reading]:
        return [Reading(self.revision, self._tags, self._pages(document)) for document in documents]

    def _pages(self, document: Document) -> tuple[PageReading, ...]:
        assert not self.needs_pictures or all(page.picture for page in document.pages)
        return tuple(
            PageReading(self._change(np.eye(len(TAGS), dtype=np.float32)[[0] * len(page.words)]))
            for page in document.pages
        )


class Rounded:
    """Says nearly the same each time."""

    def __init__(self, difference: float) -> None:
        self._difference, self._calls = difference, 0

    def __call__(self, scores: np.ndarray) -> np.ndarray:
        self._calls += 1
        part = self._calls % 2 * self._difference
        return scores * (1 - part) + np.roll(scores, 1, axis=1) * part


class Fickle:
    """Says something else each time."""

    def __init__(self) -> None:
        self._calls = 0

    def __call__(self, scores: np.ndarray) -> np.ndarray:
        self._calls += 1
        return np.roll(scores, self._calls, axis=1)


def broken(scores: np.ndarray) -> np.ndarray:
    raise IndexError("index 512 is out of range")


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Scripted(lambda scores: scores * np.nan), "scores that are not numbers"),
        (Scripted(lambda scores: scores * 2), "scores that are not probabilities"),
        (Scripted(lambda scores: scores - 1), "scores that are not probabilities"),
        (Scripted(lambda scores: scores[:-1]), "reading covers"),
        (Scripted(lambda scores: scores[:, :3]), "scores of shape"),
        (Scripted(Fickle()), "two answers"),
        (Scripted(tags=("O", "SUM")), "labels that the service does not know"),
        (Scripted(broken), "failed its self-test: IndexError: index 512"),
    ],
)
def test_a_model_that_answers_nonsense_fails(model: Scripted, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        self_test(model)


HALF_PRECISION = float(np.finfo(np.float16).eps)


def test_a_batch_may_change_as_much_as_numbers_are_rounded() -> None:
    self_test(Scripted(Rounded(0.01)), HALF_PRECISION)
    with pytest.raises(ModelError, match="two answers"):
        self_test(Scripted(Rounded(0.01)))
    with pytest.raises(ModelError, match="two answers"):
        self_test(Scripted(Rounded(0.05)), HALF_PRECISION)


@pytest.mark.parametrize("needs_pictures", [False, True])
def test_a_sound_model_passes(needs_pictures: bool) -> None:
    model = Scripted()
    model.needs_pictures = needs_pictures
    self_test(model)
