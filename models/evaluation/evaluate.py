"""Run the extraction over a dataset: predictions as files, figures as tables."""

import json
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from models.evaluation.dataset import Case, load_dataset
from models.evaluation.observations import Judged, judged_by, observe
from models.evaluation.outcome import Outcome
from models.evaluation.tally import Tally
from models.pipeline import Pipeline, Read
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.errors import DocumentError
from serve_app.domain.reading import Reading

Readings = tuple[Reading, Reading]
ReadTwice = Callable[[Document], Readings]
Inspect = Callable[[Case, Outcome, Readings | None], None]


@dataclass(slots=True)
class Evaluation:
    """Counts overall, by kind of file and by set; every value with its confidence; each file with its outcome and which
    of its header fields are right; and the files that are not a single invoice."""

    total: Tally = field(default_factory=Tally)
    by_kind: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_set: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_file: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    outcomes: list[tuple[Case, Outcome]] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)

    def add(self, case: Case, outcome: Outcome) -> None:
        """Count one file."""
        for tally in (self.total, self.by_kind[case.kind], self.by_set[case.set], self.by_file[case.name]):
            tally.add(case, outcome)
        self.outcomes.append((case, outcome))

    @property
    def notable(self) -> list[tuple[Case, Outcome]]:
        """Files without an invoice, or with several."""
        return [(case, outcome) for case, outcome in self.outcomes if len(case.truths) != 1]

    @property
    def group_share(self) -> float:
        """The share of right header fields, counting all files of a group as one. 0 without files."""
        groups: dict[str, list[float]] = defaultdict(list)
        for case, _ in self.outcomes:
            right, scored = self.by_file[case.name].header
            if scored:
                groups[case.group or case.name].append(right / scored)
        return sum(sum(shares) / len(shares) for shares in groups.values()) / max(1, len(groups))


def evaluate(
    folder: Path,
    out: Path,
    pipeline: Pipeline,
    read: Read,
    *,
    sets: list[str],
    progress: Callable[[int, int, str], None],
    read_models: ReadTwice | None = None,
    inspect: Inspect | None = None,
    judges: bool = True,
) -> Evaluation:
    """Read every document of the dataset, write `out/predictions/<set>/<file>.json`, and count.

    `sets` narrows the dataset to some of its sets; `progress` is called with the number of documents done, their
    total, and the name of the current one. `read_models` replaces the pipeline's own (to cache it). `inspect` is called
    with each file, its outcome, and the readings of both models. Without `judges`, no value has a level. Raise
    DatasetError if `folder` is not a dataset.
    """
    cases = [case for case in load_dataset(folder) if not sets or case.set in sets]
    evaluation = Evaluation()
    for done, case in enumerate(cases):
        progress(done, len(cases), case.name)
        outcome, readings = _outcome(pipeline, read, read_models or pipeline.read_models, case.path.read_bytes())
        evaluation.add(case, outcome)
        if inspect is not None:
            inspect(case, outcome, readings)
        if judges and outcome.document and readings and (outcome.is_something or case.truths):
            observed = observe(case, outcome.document, readings, outcome.sections)
            evaluation.judged += [judged_by(pipeline.calibration, observation) for observation in observed]
        _write(out / "predictions" / f"{case.name}.json", outcome)
    progress(len(cases), len(cases), "")
    return evaluation


def _outcome(pipeline: Pipeline, read: Read, read_models: ReadTwice, data: bytes) -> tuple[Outcome, Readings | None]:
    started = time.perf_counter()
    try:
        document = pipeline.with_pictures(read(data), data)
    except DocumentError as error:
        seconds = time.perf_counter() - started
        return Outcome([], error, None, seconds, seconds), None
    read_seconds = time.perf_counter() - started
    readings = read_models(document)
    sections = pipeline.decide(document, readings)
    return Outcome(sections, None, document, time.perf_counter() - started, read_seconds), readings


def _write(path: Path, outcome: Outcome) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    found = [_prediction(section) for section in outcome.sections]
    content = found[0] if len(found) == 1 else found
    if outcome.failure is not None:
        content = {"failure": {"code": outcome.failure.code, "message": outcome.failure.message}}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def _prediction(section: Section) -> dict[str, Any]:
    pages = list(range(section.first_page, section.last_page + 1))
    return {**section.extraction.model_dump(mode="json"), "_pages": pages}
