"""`invoices evaluate`: figures on documents with known truth."""

from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from models.chosen import chosen_model
from models.evaluation.baseline import change_grid, changed_grid, changes
from models.evaluation.console import figures_console
from models.evaluation.documents import DocumentCache
from models.evaluation.errors.collect import ErrorLog
from models.evaluation.errors.report import DATA, PAGE, cause_grid, confusion_grid, write_errors
from models.evaluation.evaluate import Evaluation, evaluate
from models.evaluation.figures import metrics_of
from models.evaluation.grid import Grid
from models.evaluation.readings import ReadingCache
from models.evaluation.record import FILE, read_outcomes, read_values, write_record
from models.evaluation.report import grids, summary
from models.evaluation.tracking import tracked
from models.loading import EXTRACTOR, VERIFIER
from models.pipeline import Pipeline, Read
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.reconciling.calibrations import load_calibrations
from serve_app.settings.reading import read_settings


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure, and where to put it; `invoices evaluate --help` explains each."""

    folder: Path
    out: Path
    sets: list[str] = field(default_factory=list)
    extractor: str | None = None
    verifier: str | None = None
    calibration: Path | None = None
    compare: Path | None = None
    cache: Path | None = None


def run(options: Options) -> None:
    """Evaluate the models on a folder, read as the service reads; print the figures and write them to `out`. Raise
    DatasetError if it is not a dataset, ModelError for an unusable model, RunError if there is no earlier run."""
    console = figures_console()
    before = read_outcomes(options.compare) if options.compare else None
    errors = ErrorLog(read_settings().read_options(), read_values(options.compare) if options.compare else {})
    settings = {"data": options.folder, "extractor": options.extractor, "verifier": options.verifier}
    with tracked("evaluate", settings) as track:
        with Progress(console=console) as bar:
            evaluation, pipeline = _measure(options, bar, errors)
        track(metrics_of(evaluation.total), evaluation.total.documents)
    write_record(options.out / FILE, evaluation, pipeline)
    write_errors(options.out, errors, _models(pipeline).replace("`", ""))
    tables = [*grids(evaluation), cause_grid(errors.errors), confusion_grid(errors.errors)]
    if before is not None:
        found = changes(before, read_outcomes(options.out))
        tables += [change_grid(found), changed_grid(found)]
    tables = [table for table in tables if table.rows]
    for table in tables:
        console.print(table.rich())
    console.print(summary(evaluation))
    (options.out / "report.md").write_text(_page(tables, evaluation, pipeline))
    _draw(evaluation, options.out, pipeline, console)
    console.print(f"written: {options.out}/predictions, {FILE}, report.md, {PAGE}, {DATA}")


def _measure(options: Options, bar: Progress, errors: ErrorLog) -> tuple[Evaluation, Pipeline]:
    task = bar.add_task("loading the models", total=None)
    settings = read_settings()
    pipeline = Pipeline(
        chosen_model(options.extractor, EXTRACTOR),
        chosen_model(options.verifier, VERIFIER),
        load_calibrations(options.calibration or settings.calibration),
        settings.target_precision,
    )

    def show(done: int, total: int, name: str) -> None:
        bar.update(task, completed=done, total=total, description=name[-40:])

    reading = settings.read_options()
    with closing(Supervisor(reading)) as reader:
        read: Read = reader.read_next
        read_models = pipeline.read_models
        if options.cache:
            documents = DocumentCache(options.cache / "documents", reader.read_next, reading)
            readings = ReadingCache(options.cache / "readings", lambda: pipeline)
            read, read_models = documents.read, readings.readings
        evaluation = evaluate(
            options.folder,
            options.out,
            pipeline,
            read,
            sets=options.sets,
            progress=show,
            read_models=read_models,
            inspect=errors.add,
        )
    if options.cache and documents.found:
        bar.console.print(
            f"kept from before: {documents.found} documents, both models' readings of {readings.found}; "
            f"times are those of looking them up"
        )
    return evaluation, pipeline


def _models(pipeline: Pipeline) -> str:
    models, calibration = pipeline.revisions, pipeline.calibration
    return (
        f"Models: `{models.extractor}`, `{models.verifier}`. Calibration fitted {calibration.fitted_at or 'never'}"
        f"{'' if pipeline.calibration_problem is None else ', FOR OTHER MODELS'}."
    )


def _page(tables: list[Grid], evaluation: Evaluation, pipeline: Pipeline) -> str:
    lines = "\n".join(f"- {line}" for line in summary(evaluation).splitlines())
    return "\n\n".join([_models(pipeline), lines, *(table.markdown() for table in tables)])


def _draw(evaluation: Evaluation, out: Path, pipeline: Pipeline, console: Console) -> None:
    try:
        from models.evaluation.pictures import draw
    except ImportError:
        console.print("no pictures: they need matplotlib (scripts/setup.sh train)")
        return
    models = pipeline.revisions
    for path in draw(evaluation.judged, out, f"{models.extractor}, {models.verifier}"):
        console.print(f"written: {path}")
