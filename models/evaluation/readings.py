"""A cache on disk of both models' readings: reading takes most of the time of an experiment."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np

from models.pipeline import Pipeline
from serve_app.domain.document import Document
from serve_app.domain.invoice import ModelRevisions
from serve_app.domain.labels import TAGS
from serve_app.domain.reading import PageReading, Reading
from serve_app.extraction.evidence import PageEvidence, gather


class ReadingCache:
    """Reads a document once with each pair of models; after that, its probabilities (as half floats) come from
    `folder`. A retrained model has another revision, so its documents are read again."""

    def __init__(self, folder: Path, pipeline: Callable[[], Pipeline] = Pipeline) -> None:
        self._folder = folder
        self._folder.mkdir(parents=True, exist_ok=True)
        self._pipeline = pipeline()

    @property
    def revisions(self) -> ModelRevisions:
        """The models whose readings these are."""
        return self._pipeline.revisions

    def evidence(self, document: Document) -> tuple[PageEvidence, ...]:
        """The combined reading of both models."""
        return gather(document, *self.readings(document))

    def readings(self, document: Document) -> tuple[Reading, Reading]:
        """The readings of the extractor and the verifier."""
        models = f"{self.revisions.extractor} {self.revisions.verifier}"
        path = self._folder / f"{sha256(f'{models} {_digest(document)}'.encode()).hexdigest()[:24]}.npz"
        if not path.exists():
            _write(path, *self._pipeline.read_models(document))
        with np.load(path) as stored:
            return (
                _loaded(stored, "extractor", self.revisions.extractor),
                _loaded(stored, "verifier", self.revisions.verifier),
            )


def _digest(document: Document) -> str:
    """The key of a document, made only of the words and boxes of every page."""
    whole = sha256()
    for page in document.pages:
        whole.update(repr((page.width, page.height, page.words)).encode())
    return whole.hexdigest()[:24]


def _write(path: Path, extractor: Reading, verifier: Reading) -> None:
    """Replaces the file atomically, so that an interrupted run leaves no broken one."""
    arrays = {
        f"{name}_{index}": page.scores.astype(np.float16)
        for name, reading in (("extractor", extractor), ("verifier", verifier))
        for index, page in enumerate(_in_order(reading).pages)
    }
    part = path.with_suffix(".part.npz")
    np.savez(part, allow_pickle=False, **arrays)
    part.replace(path)


def _in_order(reading: Reading) -> Reading:
    """The reading with all tags in the order of `TAGS`: a model with its own labels may know fewer, in another
    order."""
    if reading.tags == TAGS:
        return reading
    columns = [TAGS.index(tag) for tag in reading.tags]
    pages = []
    for page in reading.pages:
        scores = np.zeros((len(page.scores), len(TAGS)), dtype=np.float32)
        scores[:, columns] = page.scores
        pages.append(PageReading(scores))
    return Reading(reading.revision, TAGS, tuple(pages))


def _loaded(stored: "np.lib.npyio.NpzFile", name: str, revision: str = "") -> Reading:
    count = sum(key.startswith(name) for key in stored.files)
    pages = tuple(PageReading(stored[f"{name}_{i}"].astype(np.float32)) for i in range(count))
    return Reading(revision, TAGS, pages)
