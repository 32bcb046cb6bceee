"""A cache on disk of both models' readings: reading takes most of the time of an experiment."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import msgspec
import numpy as np

import models
from models.evaluation.sources import digest_of_sources
from models.pipeline import Pipeline
from serve_app.domain.document import Document
from serve_app.domain.labels import TAGS
from serve_app.domain.model_identity import ModelIdentity
from serve_app.domain.reading import PageReading, Reading, StatedValue
from serve_app.extraction.evidence import PageEvidence, gather

# What readings depend on besides the models' files and the document.
_SOURCES = ("*.py", "adapters/*.py", "chat/*")
_STATED = msgspec.json.Decoder(tuple[StatedValue, ...])


class ReadingCache:
    """Reads a document once with each pair of models; after that, its probabilities come from `folder`. Other weights
    or settings of a model, whatever its name, and a change of the program that runs it have documents read again.

    `found`: how many came from there.
    """

    def __init__(self, folder: Path, pipeline: Callable[[], Pipeline] = Pipeline) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self._pipeline = pipeline()
        self._models = digest_of_sources(Path(models.__file__).parent, _SOURCES).hex() + self._pipeline.digest
        self.found = 0

    def evidence(self, document: Document) -> tuple[PageEvidence, ...]:
        """The combined reading of both models."""
        return gather(document, *self.readings(document))

    def readings(self, document: Document) -> tuple[Reading, Reading]:
        """The readings of the extractor and the verifier."""
        path = self.folder / f"{sha256(f'{self._models} {_digest(document)}'.encode()).hexdigest()[:24]}.npz"
        if path.exists():
            self.found += 1
        else:
            both = self._pipeline.read_models(document)
            if tuple(reading.model for reading in both) != self._pipeline.models:
                return both  # A fallback read, which is not to stand for the model.
            _write(path, *both)
        with np.load(path) as stored:
            extractor, verifier = self._pipeline.models
            return _loaded(stored, "extractor", extractor), _loaded(stored, "verifier", verifier)


def _digest(document: Document) -> str:
    """The key of a document, made only of the words, boxes and pictures of every page."""
    whole = sha256()
    for page in document.pages:
        whole.update(repr((page.width, page.height, page.words)).encode())
        whole.update(page.picture or b"")
    return whole.hexdigest()[:24]


def _write(path: Path, extractor: Reading, verifier: Reading) -> None:
    """Replaces the file atomically, so that an interrupted run leaves no broken one."""
    arrays = {
        f"{name}_{index}": page.scores
        for name, reading in (("extractor", extractor), ("verifier", verifier))
        for index, page in enumerate(_in_order(reading).pages)
    }
    arrays |= {
        f"stated_{name}_{index}": np.frombuffer(msgspec.json.encode(page.stated), np.uint8)
        for name, reading in (("extractor", extractor), ("verifier", verifier))
        for index, page in enumerate(reading.pages)
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
        pages.append(PageReading(scores, page.stated))
    return replace(reading, tags=TAGS, pages=tuple(pages))


def _loaded(stored: "np.lib.npyio.NpzFile", name: str, model: ModelIdentity) -> Reading:
    count = sum(key.startswith(name) for key in stored.files)
    pages = tuple(
        PageReading(stored[f"{name}_{i}"], _STATED.decode(stored[f"stated_{name}_{i}"].tobytes())) for i in range(count)
    )
    return Reading(model.revision, TAGS, pages, sha256=model.sha256)
