"""Both models' readings of generated documents, kept on disk: reading takes most of the time of an experiment."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np

from models.pipeline import Pipeline
from serve_app.domain.document import Document
from serve_app.domain.labels import TAGS
from serve_app.domain.reading import PageReading, Reading
from serve_app.extraction.evidence import PageEvidence, gather


class ReadingCache:
    """Reads a document once; a second time its probabilities (as half floats) come from `folder`."""

    def __init__(self, folder: Path, pipeline: Callable[[], Pipeline] = Pipeline) -> None:
        self._folder = folder
        self._folder.mkdir(parents=True, exist_ok=True)
        self._load = pipeline
        self._pipeline: Pipeline | None = None

    def evidence(self, document: Document) -> tuple[PageEvidence, ...]:
        """What both models together say about the pages."""
        path = self._folder / f"{_digest(document)}.npz"
        if not path.exists():
            self._write(path, *self._read(document))
        with np.load(path) as stored:
            return gather(document, _loaded(stored, "extractor"), _loaded(stored, "verifier"))

    def _read(self, document: Document) -> tuple[Reading, Reading]:
        if self._pipeline is None:
            self._pipeline = self._load()
        return self._pipeline.read_models(document)

    @staticmethod
    def _write(path: Path, extractor: Reading, verifier: Reading) -> None:
        arrays = {
            f"{name}_{index}": page.scores.astype(np.float16)
            for name, reading in (("extractor", extractor), ("verifier", verifier))
            for index, page in enumerate(reading.pages)
        }
        part = path.with_suffix(".part.npz")
        np.savez(part, allow_pickle=False, **arrays)
        part.replace(path)


def _loaded(stored: "np.lib.npyio.NpzFile", name: str) -> Reading:
    count = sum(key.startswith(name) for key in stored.files)
    pages = tuple(PageReading(stored[f"{name}_{i}"].astype(np.float32)) for i in range(count))
    return Reading(name, TAGS, pages)


def _digest(document: Document) -> str:
    """The name of a document: words and boxes of every page, and nothing else, make it."""
    whole = sha256()
    for page in document.pages:
        whole.update(repr((page.width, page.height, page.words)).encode())
    return whole.hexdigest()[:24]
