"""`invoices label-next`: the documents that are most worth labelling."""

import csv
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress

from models.evaluation.console import figures_console
from models.evaluation.dataset import DatasetError
from models.evaluation.documents import DocumentCache
from models.evaluation.grid import Grid
from models.evaluation.labelling.choose import Choice, choose
from models.evaluation.labelling.looks import Floats, looks_of
from models.evaluation.unlabelled import document_files
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.domain.errors import DocumentError
from serve_app.settings.reading import read_settings

LIST = "chosen.csv"
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Options:
    """Which documents to choose from; `invoices label-next --help` explains each."""

    folder: Path
    out: Path
    count: int
    cache: Path
    labelled: Path | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A document that could be read, and what it looks like."""

    path: Path
    looks: Floats


def label_next(options: Options) -> None:
    """Read all documents, copy the chosen ones into `out`, and print why. An interrupted run finds what it has read in
    `cache`. Raises DatasetError if there are no documents, or `out` has files."""
    if options.out.exists() and any(options.out.iterdir()):
        raise DatasetError(f"{options.out} is not empty: choose another folder")
    console = figures_console()
    seen = _seen(options.folder, options.cache, console)
    known = _seen(options.labelled, options.cache, console) if options.labelled else []
    if not seen:
        raise DatasetError(f"none of the documents in {options.folder} can be read")
    chosen, cover = choose(_stacked(seen), options.count, _stacked(known) if known else None)
    _write(options, seen, chosen)
    console.print(_grid(options.folder, seen, chosen).rich())
    console.print(f"The documents in {options.folder} are then like a labelled one by {cover:.0%} on average.")
    console.print(f"written: {options.out}, {options.out / LIST}")


def _seen(folder: Path, cache: Path, console: Console) -> list[Seen]:
    files, reading = document_files(folder), read_settings().read_options()
    found = []
    with Progress(console=console) as bar, closing(Supervisor(reading)) as reader:
        documents = DocumentCache(cache, reader.read_next, reading)
        for path in bar.track(files, description=f"reading {folder.name}"):
            try:
                found.append(Seen(path, looks_of(documents.read(path.read_bytes()))))
            except DocumentError as error:
                console.print(f"left out: {path}: {error.message}", highlight=False)
    return found


def _stacked(seen: Sequence[Seen]) -> Floats:
    return np.stack([each.looks for each in seen])


def _write(options: Options, seen: Sequence[Seen], chosen: Sequence[Choice]) -> None:
    """Copies, and the list with the reasons."""
    options.out.mkdir(parents=True, exist_ok=True)
    with (options.out / LIST).open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["file", "covers", "novelty"])
        for choice in chosen:
            name = seen[choice.index].path.relative_to(options.folder)
            (options.out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(seen[choice.index].path, options.out / name)
            rows.writerow([name, f"{choice.covers:.2f}", f"{choice.novelty:.3f}"])


def _grid(folder: Path, seen: Sequence[Seen], chosen: Sequence[Choice]) -> Grid:
    rows = [
        [str(seen[each.index].path.relative_to(folder)), f"{each.covers:.1f}", f"{each.novelty:.2f}"]
        for each in chosen[:_SHOWN]
    ]
    title = f"{len(chosen)} of {len(seen)} documents to label next"
    return Grid(title, ("document", "covers documents", "novelty"), rows)
