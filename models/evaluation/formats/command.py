"""`invoices data import` and `invoices data export`."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path

from models.chosen import chosen_model
from models.config import EXTRACTOR
from models.evaluation.documents import DocumentCache
from models.evaluation.formats import chat
from models.evaluation.formats.folder import Predict, Reader, Summary, cases_of, write_folder
from models.evaluation.formats.record import Format, FormatError, ImportOptions, Write
from models.pipeline import Pipeline
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.domain.document import Document
from serve_app.extraction.dates.dates import Order
from serve_app.settings.reading import read_settings

FORMATS: Mapping[str, str] = {
    "docile": "docile",
    "cord": "cord",
    "funsd": "funsd",
    "sroie": "sroie",
    "label-studio": "label_studio",
    "huggingface": "huggingface",
    "donut": "donut",
    "chat": "chat",
}
"""The module of each format, by the name that a command has for it."""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What to export, and where to; `invoices data export --help` explains each."""

    format: str
    folder: Path
    out: Path
    sets: list[str] = field(default_factory=list)
    cache: Path | None = None
    pipeline: Pipeline | None = None
    model: str | None = None


def format_of(name: str) -> Format:
    """A format by its name."""
    found: Format = import_module(f"models.evaluation.formats.{FORMATS[name]}").FORMAT
    return found


def import_data(name: str, source: Path, out: Path, order: str | None) -> None:
    """Read a dataset of another format into a folder with docs/ and truth/. Raises FormatError."""
    options = ImportOptions(name.replace("-", ""), Order(order) if order else None)
    _say(out, write_folder(format_of(name).read(source, options), out))


def export_data(options: ExportOptions) -> None:
    """Write a folder with docs/ and truth/ in another format. Raises FormatError, DatasetError, ModelError."""
    form, reading, summary = format_of(options.format), read_settings().read_options(), Summary()
    if options.out.exists() and any(options.out.iterdir()):
        raise FormatError(f"{options.out} is not empty: export into another folder")
    write, cases = writer_of(form, options.model), cases_of(options.folder, options.sets, form)
    predict = _predictor(options.pipeline) if options.pipeline else None
    with closing(Supervisor(reading)) as supervisor:
        read = supervisor.read_next
        if options.cache:
            read = DocumentCache(options.cache / "documents", read, reading).read
        reader = Reader(read, supervisor.show, supervisor.draw, predict)
        write(reader.documents(cases, form, summary), options.out)
    _say(options.out, summary)


def writer_of(form: Format, model: str | None) -> Write:
    """Writes documents in a format; as conversations with one chat model, if its `user_config` is named. Raises
    FormatError for another format or model, ModelError."""
    if model is None:
        return form.write
    endpoint = chosen_model(model, EXTRACTOR).endpoint
    if form is not chat.FORMAT or endpoint is None:
        raise FormatError("--model is for the format chat, and names a file with `adapter: chat` and its `endpoint`")
    return partial(chat.write, endpoint=endpoint)


def _predictor(pipeline: Pipeline) -> Predict:
    """Asks the models for the first invoice of a document."""

    def predict(document: Document, data: bytes) -> dict[str, object] | None:
        sections = pipeline.extract_document(pipeline.with_pictures(document, data))
        return sections[0].extraction.model_dump(mode="json") if sections else None

    return predict


def _say(out: Path, summary: Summary) -> None:
    lines: Sequence[str] = [*summary.lines(), f"written: {out}"]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
