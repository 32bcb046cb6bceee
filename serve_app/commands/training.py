"""Commands that train and measure models or make documents for that, each a program of its own with its own options."""

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from serve_app.commands.evaluation import import_evaluation

MODEL_PROGRAMS = {
    "train": ("models.training.__main__", "Train the bundled kinds of models on generated and labelled documents."),
    "tune": ("models.training.tuning.__main__", "Fine-tune another checkpoint, with the inputs of its adapter."),
    "lora": ("models.training.lora", "Fine-tune a vision language model by low-rank adapters (LoRA)."),
    "calibrate": ("models.evaluation.calibrate", "Fit the confidence of a pair of models to labelled documents."),
    "rank": ("models.training.ranking", "Fit the rankers of candidates to labelled documents."),
    "split": ("models.training.splitting", "Fit the network that splits files of several invoices."),
    "curves": ("models.training.curves", "Draw how models learned, from the logs of their training."),
    "volume": ("models.training.volume", "Measure how much labelled documents add to a training."),
    "sizes": ("models.training.bodies", "Compare networks of several sizes."),
    "details": ("models.evaluation.details", "Measure the details of invoices."),
    "batches": ("models.evaluation.batches", "Measure the splitting of files of several invoices."),
}
DATA_PROGRAMS = {
    "generate": ("models.training.own_documents", "Generate labelled documents of layouts that no model knows."),
    "templates": ("models.training.templates.__main__", "Write labelled documents in layouts of published packages."),
    "words": ("models.training.label_words", "Label the words of documents with known values, for training."),
    "annotated": ("models.training.annotated.__main__", "Write labelled documents of pages with marked values."),
    "misreadings": ("models.training.misreadings", "Measure what OCR misreads."),
    "sheet": ("models.training.contact_sheet", "Draw a sheet of generated training documents."),
    "samples": ("models.training.samples", "Write the documents of samples/."),
}
_PASSES_ON = {"ignore_unknown_options": True, "allow_interspersed_args": False, "help_option_names": []}


def add_programs(app: typer.Typer, group: str, programs: dict[str, tuple[str, str]]) -> None:
    """Add each program to a group of commands. Its options, `--help` too, are read by the program itself."""
    for name, (module, meaning) in programs.items():
        app.command(name, help=meaning, context_settings=dict(_PASSES_ON))(_command(f"{group} {name}", module))


def _command(name: str, module: str) -> Callable[[list[str] | None], None]:
    def run(
        options: Annotated[list[str] | None, typer.Argument(metavar="[OPTIONS]", help="--help lists them.")] = None,
    ) -> None:
        program = import_evaluation(module)
        before = sys.argv
        # The programs read the arguments of the process, and call themselves by its name.
        sys.argv = [f"invoices {name}", *(options or [])]
        try:
            program.main()
        finally:
            sys.argv = before

    return run
