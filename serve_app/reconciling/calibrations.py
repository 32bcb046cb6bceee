"""Loads the calibrations of confidence: that beside the bundled weights, and those of the operator."""

import logging
from pathlib import Path

from serve_app.domain.suggestions import nearest_path
from serve_app.domain.target_precision import TargetPrecision
from serve_app.extraction.confidence.calibration import Calibration, CalibrationError, parse_calibration
from serve_app.extraction.confidence.calibrations import HOW_TO_BIND, HOW_TO_FIT, Calibrations

log = logging.getLogger(__name__)

BUNDLED = Path(__file__).parents[2] / "models" / "weights" / "calibration.json"


def load_calibration(path: Path | None = None) -> Calibration:
    """The calibration in `path`, or that of the bundled models. Raises CalibrationError if it cannot be used."""
    path = path or BUNDLED
    try:
        return parse_calibration(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CalibrationError(f"no calibration in {path}: {error.strerror}{nearest_path(path)}") from error
    except (CalibrationError, UnicodeDecodeError) as error:
        raise CalibrationError(f"{path} is not a valid calibration: {error}") from error


def load_calibrations(path: Path | None = None) -> Calibrations:
    """Those in `path`, a file or a folder of JSON files, then that of the bundled models. Logs which of them have only
    the names of their models. Raises CalibrationError if one cannot be used, or if a folder has none."""
    for file in unbound_files(path):
        log.warning("%s", not_bound(file))
    return Calibrations(*(load_calibration(each) for each in [*_files(path), BUNDLED]))


def fitted_targets(path: Path | None = None) -> frozenset[TargetPrecision]:
    """The target precisions that all of them were fitted for. Raises CalibrationError as `load_calibrations` does."""
    return load_calibrations(path).targets


def check_target(path: Path | None, target: TargetPrecision) -> None:
    """Raises CalibrationError if one of them was not fitted for this target, or as `load_calibrations` does."""
    fitted = fitted_targets(path)
    if target not in fitted:
        choices = ", ".join(map(str, sorted(fitted)))
        raise CalibrationError(f"TARGET_PRECISION={target}: the calibrations were fitted for {choices}; {HOW_TO_FIT}")


def unbound_files(path: Path | None) -> list[Path]:
    """The calibrations in `path` with only the names of their models, by which no value is high. Raises
    CalibrationError as `load_calibrations` does."""
    return [file for file in _files(path) if load_calibration(file).has_names_only]


def not_bound(file: Path) -> str:
    """What to say about one of them."""
    return f"no value is high by {file}, which does not say on which files of its models it was fitted: {HOW_TO_BIND}"


def _files(path: Path | None) -> list[Path]:
    own = sorted(path.glob("*.json")) if path and path.is_dir() else [path] if path else []
    if path and not own:
        raise CalibrationError(f"no calibration in {path}: no file there ends in .json")
    return own
