"""`invoices data`: labelled documents from and to other formats."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from serve_app.commands.evaluation import import_evaluation, require_checkout
from serve_app.commands.model_options import CalibrationOption, ModelOption, check_options, load_pipeline

_COMMAND = "models.evaluation.formats.command"

data_app = typer.Typer(help="Labelled documents in other formats.", no_args_is_help=True)


class DataFormat(StrEnum):
    """The formats (docs/reference/dataset-formats.md)."""

    DOCILE = "docile"
    CORD = "cord"
    FUNSD = "funsd"
    SROIE = "sroie"
    LABEL_STUDIO = "label-studio"
    HUGGINGFACE = "huggingface"
    DONUT = "donut"
    CHAT = "chat"


class DayOrder(StrEnum):
    """How dates such as 03/04/2025 are meant."""

    DAY_FIRST = "day_first"
    MONTH_FIRST = "month_first"


@data_app.command("import")
def import_data(
    format_: Annotated[DataFormat, typer.Argument(metavar="FORMAT", help=f"One of {', '.join(DataFormat)}.")],
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="The dataset's folder, or a file of it.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder for docs/ and truth/.")],
    dates: Annotated[
        DayOrder | None,
        typer.Option(help="How to read dates such as 03/04/2025; without it they are left out."),
    ] = None,
) -> None:
    """Read a dataset of another format into a folder for `invoices evaluate`."""
    require_checkout()
    check_options(source)
    import_evaluation(_COMMAND).import_data(format_.value, source, out, dates.value if dates else None)


@data_app.command("export")
def export_data(
    format_: Annotated[DataFormat, typer.Argument(metavar="FORMAT", help=f"One of {', '.join(DataFormat)}.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with docs/ and truth/.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder for the dataset; must be empty or new.")],
    sets: Annotated[list[str] | None, typer.Option("--set", help="Only these sets; can be repeated.")] = None,
    cache: Annotated[Path | None, typer.Option(help="Cache for the words read, as of `invoices evaluate`.")] = None,
    predict: Annotated[
        bool, typer.Option("--predict", help="Add what the models read (label-studio), to be corrected by people.")
    ] = False,
    model: Annotated[
        str | None, typer.Option(metavar="FILE", help="chat: user_config of the model; it is asked in its way.")
    ] = None,
    extractor: ModelOption = None,
    verifier: ModelOption = None,
    calibration: CalibrationOption = None,
) -> None:
    """Write labelled documents in another format. Label Studio also takes a folder of unlabelled documents."""
    require_checkout()
    check_options(folder, extractor=model or extractor, verifier=verifier, calibration=calibration)
    command = import_evaluation(_COMMAND)
    pipeline = load_pipeline(extractor, verifier, calibration) if predict else None
    command.export_data(command.ExportOptions(format_.value, folder, out, sets or [], cache, pipeline, model))
