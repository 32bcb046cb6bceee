"""Both pairs of models on the same documents, each read once."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from models.evaluation.evaluate import Evaluation, evaluate
from models.evaluation.gate.golden import golden
from models.evaluation.observations import judged_by, observe
from models.evaluation.outcome import Outcome
from models.evaluation.record import FILE, Scored, read_outcomes, write_record
from models.pipeline import Pipeline, Read
from serve_app.domain.document import Document, Page
from serve_app.domain.reading import Reading

Progress = Callable[[int, int, str], None]
ReadTwice = Callable[[Document], tuple[Reading, Reading]]
Known = dict[tuple[str, tuple[Page, ...]], tuple[Reading, float]]
"""What a model, by its digest, read of a document, and how long it took."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures, and whether each header field is right."""

    evaluation: Evaluation
    outcomes: dict[Scored, bool]


@dataclass(frozen=True, slots=True)
class Run:
    """What a pair of models did, and what the model in question does `alone`, taken for both: a good partner hides a
    bad model. `loaded_bytes` is what the models added to the process, `saved` the seconds of readings that another pair
    had made."""

    pipeline: Pipeline
    pair: Measured
    alone: Measured
    loaded_bytes: int
    saved: float = 0.0

    @property
    def seconds(self) -> float:
        """Of both models and of deciding, a page."""
        total = self.pair.evaluation.total
        return (total.seconds - total.read_seconds + self.saved) / max(1, total.pages)


class Remembered:
    """The readings of each document by both models. `known` is shared by pairs that have a model in common, which reads
    each document once. `saved` is what readings that were known took, in seconds."""

    def __init__(self, pipeline: Pipeline, known: Known) -> None:
        self._readers = pipeline.label_with_extractor, pipeline.label_with_verifier
        self._digests, self._known = pipeline.digests, known
        self.saved = 0.0

    def both(self, document: Document) -> tuple[Reading, Reading]:
        """The readings of extractor and verifier."""
        return self._one(document, 0), self._one(document, 1)

    def alone(self, document: Document, place: int) -> tuple[Reading, Reading]:
        """The reading of one of them, twice."""
        reading = self._one(document, place)
        return reading, reading

    def _one(self, document: Document, place: int) -> Reading:
        key = self._digests[place], document.pages
        if key in self._known:
            self.saved += self._known[key][1]
        else:
            started = time.perf_counter()
            (reading,) = self._readers[place]([document])
            self._known[key] = reading, time.perf_counter() - started
        return self._known[key][0]


def load(make: Callable[[], Pipeline]) -> tuple[Pipeline, int]:
    """The models, and the bytes that they take."""
    before = psutil.Process().memory_info().rss
    pipeline = make()
    return pipeline, max(0, psutil.Process().memory_info().rss - before)


def run(
    loaded: tuple[Pipeline, int],
    place: int,
    folders: Sequence[Path],
    out: Path,
    read: Read,
    progress: Progress,
    known: Known | None = None,
) -> Run:
    """Evaluate a pair, and the first (0) or second (1) of its models alone, on the golden documents and on these
    folders; the records are written to `out`. `known` are readings by models that another pair has, too. Raises
    DatasetError."""
    pipeline, size = loaded
    remembered = Remembered(pipeline, {} if known is None else known)
    pair = _measured(pipeline, remembered.both, folders, out, read, progress, judges=True)
    saved = remembered.saved
    # The rules about levels are about pairs.
    alone = _measured(
        pipeline, lambda each: remembered.alone(each, place), folders, out / "alone", read, progress, judges=False
    )
    return Run(pipeline, pair, alone, size, saved)


def _measured(
    pipeline: Pipeline,
    read_models: ReadTwice,
    folders: Sequence[Path],
    out: Path,
    read: Read,
    progress: Progress,
    *,
    judges: bool,
) -> Measured:
    evaluation = Evaluation()
    for case, words in golden():
        document = _drawn(words) if pipeline.needs_pictures else words
        started = time.perf_counter()
        readings = read_models(document)
        sections = pipeline.decide(document, readings)
        evaluation.add(case, Outcome(sections, None, document, time.perf_counter() - started, 0.0))
        if judges:
            observed = observe(case, document, readings, sections)
            evaluation.judged += [judged_by(pipeline.calibration, each) for each in observed]
    for folder in folders:
        place = out / folder.name
        found = evaluate(
            folder, place, pipeline, read, sets=[], progress=progress, read_models=read_models, judges=judges
        )
        for case, outcome in found.outcomes:
            evaluation.add(case, outcome)
        evaluation.judged += found.judged
    write_record(out / FILE, evaluation, pipeline)
    return Measured(evaluation, read_outcomes(out))


def _drawn(document: Document) -> Document:
    # Imported here because only models that look at pages need the packages that draw.
    from models.training.drawn import with_drawings

    return with_drawings(document)
