"""Which calibration belongs to a version."""

from hashlib import sha256
from pathlib import Path

from models.config import ModelConfig
from models.identity import hash_of
from models.registry.provenance import Provenance
from serve_app.extraction.confidence.calibration import Calibration, CalibrationError
from serve_app.reconciling.calibrations import load_calibration, load_calibrations, not_bound
from serve_app.settings.reading import read_settings


def checked_calibration(file: Path, config: ModelConfig, place: str) -> dict[str, str]:
    """The file and its hash, for the provenance of the model in a place. Raises CalibrationError if the calibration was
    not fitted on it."""
    calibration = load_calibration(file)
    if calibration.has_names_only:
        raise CalibrationError(not_bound(file))
    if getattr(calibration, f"{place}_sha256") != hash_of(config):
        name = getattr(calibration, place)
        raise CalibrationError(f"{file} was fitted on another {place} ({name}), or on one with other settings")
    return {"file": str(file.absolute()), "sha256": sha256(file.read_bytes()).hexdigest()}


def calibration_line(config: ModelConfig, known: Provenance) -> str:
    """Which pairs with this model are calibrated, by the calibrations that the service has and the one that it was
    fetched with."""
    present = load_calibrations(read_settings().calibration).all
    own = [each for each in [_fetched_with(known)] if each is not None]
    digest = hash_of(config)
    pairs = {
        f"{each.extractor} with {each.verifier}"
        for each in [*present, *own]
        if digest in (each.extractor_sha256, each.verifier_sha256)
    }
    if not pairs:
        return "No calibration was fitted on it: until one is, no value of its pair is high"
    return f"Calibrated: {', '.join(sorted(pairs))}"


def _fetched_with(known: Provenance) -> Calibration | None:
    """None if its file is gone, or is another one now."""
    if known.calibration is None:
        return None
    file = Path(known.calibration["file"])
    is_same = file.is_file() and sha256(file.read_bytes()).hexdigest() == known.calibration["sha256"]
    return load_calibration(file) if is_same else None
