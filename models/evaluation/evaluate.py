"""Run the extraction over a dataset: predictions as files, figures as tables."""

import json
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from models.evaluation.dataset import Case, load_dataset
from models.evaluation.outcome import Outcome
from models.evaluation.tally import Tally
from models.pipeline import Pipeline, Read
from serve_app.domain.batch import Section
from serve_app.domain.errors import DocumentError


@dataclass(slots=True)
class Evaluation:
    """Counts of everything, of each kind of file, and what became of the files that are no single invoice."""

    total: Tally = field(default_factory=Tally)
    by_kind: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    notable: list[tuple[Case, Outcome]] = field(default_factory=list)

    def add(self, case: Case, outcome: Outcome) -> None:
        """Count one file."""
        self.total.add(case, outcome)
        self.by_kind[case.kind].add(case, outcome)
        if len(case.truths) != 1:
            self.notable.append((case, outcome))


def evaluate(
    folder: Path,
    out: Path,
    pipeline: Pipeline,
    read: Read,
    *,
    sets: list[str],
    progress: Callable[[int, int, str], None],
) -> Evaluation:
    """Read every document of the dataset, write `out/predictions/<set>/<file>.json`, and count.

    `sets` narrows the dataset to some of its sets; `progress` is called with the number of documents done, their
    total, and the name of the one at work. Raise DatasetError when `folder` is no dataset.
    """
    cases = [case for case in load_dataset(folder) if not sets or case.set in sets]
    evaluation = Evaluation()
    for done, case in enumerate(cases):
        progress(done, len(cases), case.name)
        outcome = _outcome(pipeline, read, case.path.read_bytes())
        evaluation.add(case, outcome)
        _write(out / "predictions" / f"{case.name}.json", outcome)
    progress(len(cases), len(cases), "")
    return evaluation


def _outcome(pipeline: Pipeline, read: Read, data: bytes) -> Outcome:
    started = time.perf_counter()
    try:
        document = read(data)
    except DocumentError as error:
        seconds = time.perf_counter() - started
        return Outcome([], error, None, seconds, seconds)
    read_seconds = time.perf_counter() - started
    sections = pipeline.extract_document(document)
    return Outcome(sections, None, document, time.perf_counter() - started, read_seconds)


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
