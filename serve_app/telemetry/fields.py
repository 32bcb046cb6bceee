"""What was read, beside what it was like when confidence was calibrated: if the two part, the documents have changed,
or the models have."""

from collections.abc import Sequence

from serve_app.domain.batch import Section
from serve_app.domain.evidence import HEADER
from serve_app.domain.invoice import Confidence
from serve_app.extraction.confidence.calibration import Calibration
from serve_app.telemetry.meter import count, set_to
from serve_app.telemetry.series import CALIBRATED, FIELDS, FIELDS_AGREED, FIELDS_HIGH


def publish_calibrations(calibration: Calibration) -> None:
    """The shares at calibration, of the fields for which they are known."""
    for field, shares in calibration.shares.items():
        set_to(CALIBRATED, shares.high, field=field, share="high")
        set_to(CALIBRATED, shares.agreed, field=field, share="agreed")


def count_fields(sections: Sequence[Section]) -> None:
    """Count the values of these invoices."""
    for section in sections:
        levels = section.extraction.field_confidence or {}
        for field in HEADER:
            if field in levels:
                count(FIELDS, field=field)
                count(FIELDS_HIGH, levels[field] is Confidence.HIGH, field=field)
                count(FIELDS_AGREED, field in section.agreed, field=field)
