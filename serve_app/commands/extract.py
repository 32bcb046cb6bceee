"""`invoices extract`: read files on this machine, with no server and no Ray."""

import mimetypes
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from serve_app.commands.errors import CommandError
from serve_app.commands.model_options import CalibrationOption, ModelOption, check_options, load_pipeline
from serve_app.commands.terminal import complain, print_json
from serve_app.domain.user_error import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from models.pipeline import Pipeline
    from serve_app.domain.batch import Section

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Invoices: PDF, JPEG, PNG, HEIC, HTML.")]
Pretty = Annotated[bool, typer.Option("--pretty", help="Indent the JSON.")]


def extract(
    files: Files,
    pretty: Pretty = False,
    extractor: ModelOption = None,
    verifier: ModelOption = None,
    calibration: CalibrationOption = None,
) -> None:
    """Read invoices and print them as the API would, one line of JSON each.

    Exits with 0 if all files were read, with 1 if some failed; their errors are on stderr as FILE: message.
    """
    check_options(extractor=extractor, verifier=verifier, calibration=calibration)
    # Loaded for the first document, so that a missing file is reported without waiting for the models.
    pipeline = cache(lambda: _load(extractor, verifier, calibration))
    outcomes = [_extract_one(file, pretty, pipeline) for file in files]
    if not all(outcomes):
        raise typer.Exit(1)


def _extract_one(file: Path, pretty: bool, pipeline: "Callable[[], Pipeline]") -> bool:
    """Print one file's invoices or its error; returns whether the file was read."""
    from serve_app.domain.errors import DocumentError

    try:
        data = file.read_bytes()
        for invoice in describe(file, data, pipeline().extract(data)):
            print_json(invoice, pretty)
    except OSError as error:
        complain(f"{file}: {error.strerror or error}")
    except DocumentError as error:
        complain(f"{file}: {error.message}")
    else:
        return True
    return False


def describe(file: Path, data: bytes, sections: "Sequence[Section]") -> list[dict[str, Any]]:
    """The invoice resources of a file read here, with newly generated ids and times."""
    from serve_app.documents.sniff import sniff
    from serve_app.domain.batch import records_of
    from serve_app.domain.clock import utc_now
    from serve_app.domain.ids import new_id
    from serve_app.domain.invoice import FileInfo, Invoice, Source
    from serve_app.domain.record import completed, new_record

    now = utc_now()
    info = FileInfo(name=file.name, mime_type=sniff(data) or mimetypes.guess_type(file)[0], size_bytes=len(data))
    invoice = Invoice(id=new_id(), source=Source.APP, created_at=now, updated_at=now, file=info)
    first, others = records_of(new_record(invoice, new_id()), sections, now)
    invoices = [completed(invoice, first, now), *(record.invoice for record in others)]
    return [each.model_dump(mode="json") for each in invoices]


def _load(extractor: str | None, verifier: str | None, calibration: Path | None) -> "Pipeline":
    """The models. Raises CommandError if they cannot be loaded."""
    # Progress bars for loading weights are noise.
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    try:
        return load_pipeline(extractor, verifier, calibration)
    except (OSError, UserError) as error:
        raise CommandError(f"the models cannot be loaded: {' '.join(str(error).split())}") from error
