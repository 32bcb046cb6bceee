"""Check the model options of a command before heavy imports, so that a typo is reported at once."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.chosen import chosen_model
from models.config import EXTRACTOR, VERIFIER
from serve_app.commands.errors import CommandError
from serve_app.domain.invoice import Details, Field
from serve_app.domain.model_pairs import Place
from serve_app.domain.suggestions import nearest_path, suggestion
from serve_app.reconciling.calibrations import load_calibrations
from serve_app.settings.reading import read_settings

if TYPE_CHECKING:
    from models.pipeline import Pipeline

_MODEL_HELP = "A checkpoint's folder, or a JSON or YAML file of its user_config; else the bundled model."

ModelOption = Annotated[str | None, typer.Option(metavar="MODEL", help=_MODEL_HELP)]
CalibrationOption = Annotated[Path | None, typer.Option(help="Calibration of the models.")]

_FIELDS = (*Field, *Details.model_fields)


def check_options(
    *paths: Path, extractor: str | None = None, verifier: str | None = None, calibration: Path | None = None
) -> None:
    """Raises UserError unless the settings, the models, the calibration and these files and folders can be used."""
    for path in paths:
        if not path.exists():
            raise CommandError(f"{path}: No such file or directory{nearest_path(path)}")
    chosen_model(extractor, EXTRACTOR)
    chosen_model(verifier, VERIFIER)
    load_calibrations(calibration or read_settings().calibration)


def load_pipeline(extractor: str | None, verifier: str | None, calibration: Path | None) -> "Pipeline":
    """Load the models and the calibration that a command names; else the bundled ones, or those of the settings. Raises
    UserError or OSError."""
    from models.pipeline import Pipeline

    settings = read_settings()
    return Pipeline(
        chosen_model(extractor, EXTRACTOR),
        chosen_model(verifier, VERIFIER),
        load_calibrations(calibration or settings.calibration),
        settings.target_precision,
    )


def check_field(name: str) -> None:
    """Raises CommandError for a name that no field of an invoice has."""
    if name not in _FIELDS:
        raise CommandError(f"there is no field {name}{suggestion(name, _FIELDS)}")


def check_model(name: str, place: Place) -> None:
    """Raises ModelError unless the name means a model that can take this place."""
    chosen_model(name, EXTRACTOR if place is Place.EXTRACTOR else VERIFIER)
