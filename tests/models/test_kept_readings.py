"""What is kept of an earlier run is used again only if nothing that made it has changed."""

from pathlib import Path
from typing import Any, cast

import numpy as np

from models.evaluation.readings import ReadingCache
from models.evaluation.sources import digest_of_sources
from models.loading import EXTRACTOR, VERIFIER
from models.pipeline import Pipeline
from serve_app.domain.document import Document
from serve_app.domain.labels import TAGS
from serve_app.domain.model_identity import ModelIdentity
from serve_app.domain.reading import PageReading, Reading
from tests.models.adapters.pages import document_of
from tests.support.checkpoints import write_layout_checkpoint, write_text_checkpoint

DOCUMENT = document_of("Total", "9.50")


class Models:
    """Answers with one tag for all words, under whatever name."""

    models = ModelIdentity("mine"), ModelIdentity("other")

    def __init__(self, digest: str, tag: int, answers_as: str = "mine") -> None:
        self.digest = digest
        self.asked = 0
        self._tag, self._name = tag, answers_as

    def read_models(self, document: Document) -> tuple[Reading, Reading]:
        self.asked += 1
        scores = np.full((2, len(TAGS)), 1 / 3000, np.float32)
        scores[:, self._tag] = 1 - 42 / 3000
        page = PageReading(scores)
        return Reading(self._name, TAGS, (page,)), Reading("other", TAGS, (page,))


def cache(folder: Path, models: Models) -> ReadingCache:
    return ReadingCache(folder, lambda: cast(Pipeline, models))


def best(readings: tuple[Reading, Reading]) -> int:
    return int(np.argmax(readings[0].pages[0].scores[0]))


def test_a_document_is_read_once_and_the_same_comes_back(tmp_path: Path) -> None:
    models = Models("a", 1)
    first = cache(tmp_path, models).readings(DOCUMENT)
    kept = cache(tmp_path, models)
    again = kept.readings(DOCUMENT)
    assert (models.asked, kept.found) == (1, 1)
    fresh = models.read_models(DOCUMENT)
    assert all(
        np.array_equal(one.pages[0].scores, other.pages[0].scores)
        for one, other in zip([*first, *again], [*fresh, *fresh], strict=True)
    )


def test_other_weights_under_the_same_name_read_again(tmp_path: Path) -> None:
    assert best(cache(tmp_path, Models("a", 1)).readings(DOCUMENT)) == 1
    assert best(cache(tmp_path, Models("b", 2)).readings(DOCUMENT)) == 2


def test_what_a_fallback_read_is_not_kept(tmp_path: Path) -> None:
    models = Models("a", 1, answers_as="fallback")
    for _ in range(2):
        assert cache(tmp_path, models).readings(DOCUMENT)[0].revision == "fallback"
    assert models.asked == 2


def test_a_pair_is_known_by_its_files_and_settings(tmp_path: Path) -> None:
    one, two = write_layout_checkpoint(tmp_path / "one"), write_text_checkpoint(tmp_path / "two")

    def digest(**changes: Any) -> str:
        extractor = EXTRACTOR.model_copy(update={"checkpoint": str(one), **changes})
        return Pipeline(extractor, VERIFIER.model_copy(update={"checkpoint": str(two)})).digest

    first = digest()
    assert digest() == first
    assert digest(label_map={"TOTAL": "TOTAL"}) != first
    write_layout_checkpoint(one, seed=1)
    assert digest() != first


def test_a_change_of_the_program_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "other.txt").write_text("1")
    first = digest_of_sources(tmp_path, ["*.py"])
    (tmp_path / "other.txt").write_text("2")
    assert digest_of_sources(tmp_path, ["*.py"]) == first
    (tmp_path / "a.py").write_text("2")
    assert digest_of_sources(tmp_path, ["*.py"]) != first
