"""`invoices models bind`: say which files a calibration of before version 1.1 was fitted on."""

import sys
from pathlib import Path

from models.chosen import chosen_model
from models.config import EXTRACTOR, VERIFIER
from models.identity import identity_of
from serve_app.domain.model_identity import ModelIdentity
from serve_app.extraction.confidence.calibration import Calibration, CalibrationError
from serve_app.extraction.confidence.calibrations import HOW_TO_FIT
from serve_app.reconciling.calibrations import load_calibration


def bind(file: Path, extractor: str | None, verifier: str | None) -> None:
    """Write the hashes of these models into a calibration that has their names, and no hashes yet. Raises
    CalibrationError if it has not, or cannot be written, and ModelError if there is no such model."""
    calibration = load_calibration(file)
    models = identity_of(chosen_model(extractor, EXTRACTOR)), identity_of(chosen_model(verifier, VERIFIER))
    names = " and ".join(f"{model.revision} ({model.sha256[:12]})" for model in models)
    if not calibration.is_for(*models):
        _check(file, calibration, models)
        _write(file, calibration.bound_to(*models))
    sys.stdout.write(f"{file} is bound to {names}\n")


def _check(file: Path, calibration: Calibration, models: tuple[ModelIdentity, ModelIdentity]) -> None:
    if not calibration.has_names_of(*models):
        given = " and ".join(model.revision for model in models)
        raise CalibrationError(
            f"{file} was fitted on {calibration.extractor} and {calibration.verifier}, not on {given}: name its models"
            f" with --extractor and --verifier, or {HOW_TO_FIT}"
        )
    if not calibration.has_names_only:
        raise CalibrationError(f"{file} is bound to other files of models with these names: {HOW_TO_FIT}")


def _write(file: Path, calibration: Calibration) -> None:
    part = file.with_suffix(".part")
    try:
        part.write_text(calibration.model_dump_json(indent=1) + "\n", encoding="utf-8")
        part.replace(file)
    except OSError as error:
        raise CalibrationError(f"{file} cannot be written: {error.strerror}") from error
