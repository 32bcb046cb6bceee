"""Run the extraction over a dataset: predictions as files, figures as a table."""

import json
import time
from collections.abc import Callable
from pathlib import Path

from models.evaluation.dataset import Case, load_dataset
from models.evaluation.tally import Tally
from models.pipeline import Pipeline
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import Extraction


def evaluate(
    folder: Path, out: Path, pipeline: Pipeline, *, sets: list[str], progress: Callable[[int, int, str], None]
) -> Tally:
    """Read every document of the dataset, write `out/predictions/<set>/<file>.json`, and count.

    `sets` narrows the dataset to some of its sets; `progress` is called with the number of documents done, their
    total, and the name of the one at work. Raise DatasetError when `folder` is no dataset.
    """
    cases = [case for case in load_dataset(folder) if not sets or case.set in sets]
    tally = Tally()
    for done, case in enumerate(cases):
        progress(done, len(cases), case.name)
        started = time.perf_counter()
        extraction, failure = _extract(pipeline, case)
        tally.add_file(case.truths, extraction, time.perf_counter() - started)
        _write(out / "predictions" / f"{case.name}.json", extraction, failure)
    progress(len(cases), len(cases), "")
    return tally


def _extract(pipeline: Pipeline, case: Case) -> tuple[Extraction | None, DocumentError | None]:
    try:
        return pipeline.extract(case.path.read_bytes()), None
    except DocumentError as error:
        return None, error


def _write(path: Path, extraction: Extraction | None, failure: DocumentError | None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    content = extraction.model_dump(mode="json") if extraction else {}
    if failure is not None:
        content["failure"] = {"code": failure.code, "message": failure.message}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
