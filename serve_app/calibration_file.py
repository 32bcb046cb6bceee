"""Loads the confidence calibration from a file beside the models' weights."""

from pathlib import Path

from serve_app.extraction.calibration import Calibration, CalibrationError, parse_calibration

BUNDLED = Path(__file__).parents[1] / "models" / "weights" / "calibration.json"


def load_calibration(path: Path | None = None) -> Calibration:
    """The calibration in `path`, or that of the bundled models. Raises CalibrationError if it cannot be used."""
    path = path or BUNDLED
    try:
        return parse_calibration(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CalibrationError(f"no calibration in {path}: {error.strerror}") from error
    except (CalibrationError, UnicodeDecodeError) as error:
        raise CalibrationError(f"{path} is not a valid calibration: {error}") from error
