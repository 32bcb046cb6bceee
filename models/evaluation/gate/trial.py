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


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures, and whether each header field is right."""

    evaluation: Evaluation
    outcomes: dict[Scored, bool]


@dataclass(frozen=True, slots=True)
class Run:
    """What a pair of models did, and what the model in question does `alone`, taken for both: a good partner hides a
    bad model. `loaded_bytes` is what the models added to the process."""

    pipeline: Pipeline
    pair: Measured
    alone: Measured
    loaded_bytes: int

    @property
    def seconds(self) -> float:
        """Of both models and of deciding, a page."""
        total = self.pair.evaluation.total
        return (total.seconds - total.read_seconds) / max(1, total.pages)


class Remembered:
    """Both models' readings of each document, made once."""

    def __init__(self, read_models: ReadTwice) -> None:
        self._read_models = read_models
        self._known: dict[tuple[Page, ...], tuple[Reading, Reading]] = {}

    def both(self, document: Document) -> tuple[Reading, Reading]:
        """The readings of extractor and verifier."""
        if document.pages not in self._known:
            self._known[document.pages] = self._read_models(document)
        return self._known[document.pages]

    def alone(self, document: Document, place: int) -> tuple[Reading, Reading]:
        """The reading of one of them, twice."""
        reading = self.both(document)[place]
        return reading, reading


def load(make: Callable[[], Pipeline]) -> tuple[Pipeline, int]:
    """The models, and the bytes that they take."""
    before = psutil.Process().memory_info().rss
    pipeline = make()
    return pipeline, max(0, psutil.Process().memory_info().rss - before)


def run(
    loaded: tuple[Pipeline, int], place: int, folders: Sequence[Path], out: Path, read: Read, progress: Progress
) -> Run:
    """Evaluate a pair, and the first (0) or second (1) of its models alone, on the golden documents and on these
    folders; the records are written to `out`. Raises DatasetError."""
    pipeline, size = loaded
    known = Remembered(pipeline.read_models)
    pair = _measured(pipeline, known.both, folders, out, read, progress)
    alone = _measured(pipeline, lambda each: known.alone(each, place), folders, out / "alone", read, progress)
    return Run(pipeline, pair, alone, size)


def _measured(
    pipeline: Pipeline, read_models: ReadTwice, folders: Sequence[Path], out: Path, read: Read, progress: Progress
) -> Measured:
    evaluation = Evaluation()
    for case, words in golden():
        document = _drawn(words) if pipeline.needs_pictures else words
        started = time.perf_counter()
        readings = read_models(document)
        sections = pipeline.decide(document, readings)
        evaluation.add(case, Outcome(sections, None, document, time.perf_counter() - started, 0.0))
        observed = observe(case, document, readings, sections)
        evaluation.judged += [judged_by(pipeline.calibration, each) for each in observed]
    for folder in folders:
        found = evaluate(folder, out / folder.name, pipeline, read, sets=[], progress=progress, read_models=read_models)
        for case, outcome in found.outcomes:
            evaluation.add(case, outcome)
        evaluation.judged += found.judged
    write_record(out / FILE, evaluation, pipeline)
    return Measured(evaluation, read_outcomes(out))


def _drawn(document: Document) -> Document:
    # Imported here because only models that look at pages need the packages that draw.
    from models.training.drawn import with_drawings

    return with_drawings(document)
