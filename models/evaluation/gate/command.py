"""`invoices models check`: compare a candidate with the model whose place it would take."""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.progress import Progress

from models.chosen import chosen_model
from models.evaluation.console import figures_console
from models.evaluation.documents import DocumentCache
from models.evaluation.gate.report import FILE, PAGE, write
from models.evaluation.gate.trial import Known, Run, load, run
from models.evaluation.gate.verdict import findings, sources
from models.footprint import tried
from models.loading import EXTRACTOR, VERIFIER, ModelConfig, ModelError
from models.pipeline import Pipeline
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.reconciling.calibrations import load_calibrations
from serve_app.settings.reading import read_settings


@dataclass(frozen=True, slots=True)
class Options:
    """Which candidate, in whose place, on which documents; `invoices models check --help` explains each."""

    candidate: str
    place: str
    out: Path
    folders: tuple[Path, ...] = ()
    extractor: str | None = None
    verifier: str | None = None
    calibration: Path | None = None
    cache: Path | None = None


def check(options: Options) -> bool:
    """Compare both pairs, print and write the verdict; whether the candidate passed. Raises ModelError, DatasetError,
    CalibrationError."""
    console = figures_console()
    present = chosen_model(options.extractor, EXTRACTOR), chosen_model(options.verifier, VERIFIER)
    candidate = chosen_model(options.candidate, present[options.place == "verifier"])
    _check_that_it_loads(candidate)
    pairs = present, (candidate, present[1]) if options.place == "extractor" else (present[0], candidate)
    with _no_warning_of_calibrations():
        before, now = _runs(options, pairs, console)
    rules, found = findings(before, now), sources(before, now)
    passed = write(options.out, candidate, before, now, rules, found)
    for rule in rules:
        console.print(f"{'passed' if rule.passed else 'FAILED'}: {rule.rule}: {rule.found}", highlight=False)
    console.print(f"{'passed' if passed else 'NOT PASSED'}; written: {options.out / FILE}, {options.out / PAGE}")
    return passed


@contextmanager
def _no_warning_of_calibrations() -> Iterator[None]:
    """A model taken for both has no calibration, and a candidate often none yet: the verdict says so."""
    logger = logging.getLogger("serve_app.extraction.confidence.calibrations")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _check_that_it_loads(candidate: ModelConfig) -> None:
    """A candidate that no replica could load is refused now, not after minutes of reading with the present pair."""
    if refused := tried({**candidate.model_dump(mode="json"), "gate": None}).refused:
        raise ModelError(refused)


def _runs(options: Options, pairs: tuple[tuple[ModelConfig, ModelConfig], ...], console: Console) -> tuple[Run, Run]:
    settings = read_settings()
    calibrations = load_calibrations(options.calibration or settings.calibration)
    reading, runs = settings.read_options(), []
    known: Known = {}
    with Progress(console=console) as bar, closing(Supervisor(reading)) as reader, TemporaryDirectory() as own:
        # Both pairs are to read the same words, and OCR takes most of the time.
        words = options.cache / "documents" if options.cache else Path(own)
        read = DocumentCache(words, reader.read_next, reading).read
        for name, (extractor, verifier) in zip(("present", "candidate"), pairs, strict=True):
            task = bar.add_task(f"{name} pair", total=None)
            loaded = load(lambda: Pipeline(extractor, verifier, calibrations))  # noqa: B023 - called at once

            def show(done: int, total: int, file: str) -> None:
                bar.update(task, completed=done, total=total, description=f"{name}: {file[-40:]}")  # noqa: B023

            runs.append(
                run(loaded, int(options.place == "verifier"), options.folders, options.out / name, read, show, known)
            )
    return runs[0], runs[1]
