"""`invoices evaluate`: figures on documents with known truth."""

from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from models.evaluation.evaluate import evaluate
from models.evaluation.report import field_table, kind_table, notable_table, summary
from models.pipeline import Pipeline
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.settings import Settings


def run(folder: Path, out: Path, sets: list[str]) -> None:
    """Evaluate the bundled models on `folder`, read as the service reads, and print the figures; raise DatasetError
    when it is no dataset."""
    console = Console()
    options = Settings().read_options()
    with Progress(console=console) as bar, closing(Supervisor(options)) as reader:
        task = bar.add_task("loading the models", total=None)
        pipeline = Pipeline()

        def show(done: int, total: int, name: str) -> None:
            bar.update(task, completed=done, total=total, description=name[-40:])

        evaluation = evaluate(folder, out, pipeline, reader.read, sets=sets, progress=show)
    for table in (field_table(evaluation.total), kind_table(evaluation), notable_table(evaluation)):
        console.print(table)
    console.print(summary(evaluation.total))
    console.print(f"predictions: {out / 'predictions'}")
