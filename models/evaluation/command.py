"""`invoices evaluate`: figures on documents with known truth."""

from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from models.evaluation.evaluate import evaluate
from models.evaluation.report import field_table, summary
from models.pipeline import Pipeline


def run(folder: Path, out: Path, sets: list[str]) -> None:
    """Evaluate the bundled models on `folder` and print the figures; raise DatasetError when it is no dataset."""
    console = Console()
    with Progress(console=console) as bar:
        task = bar.add_task("loading the models", total=None)
        pipeline = Pipeline()

        def show(done: int, total: int, name: str) -> None:
            bar.update(task, completed=done, total=total, description=name[-40:])

        tally = evaluate(folder, out, pipeline, sets=sets, progress=show)
    console.print(field_table(tally))
    console.print(summary(tally))
    console.print(f"predictions: {out / 'predictions'}")
