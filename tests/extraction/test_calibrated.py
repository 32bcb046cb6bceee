"""Documents are judged by the calibration of the service; one for other models is told once."""

import logging

import pytest

from serve_app.domain.invoice import Confidence, Field
from serve_app.extraction.calibrated import CalibratedExtract
from serve_app.extraction.calibration import UNFITTED
from tests.extraction.pages import document_of, reading_of

PAGE = ["Akme|SELLER Ltd|SELLER", "Invoice No. INV-42|INVOICE_NUMBER", "Total £60.00|TOTAL"]


def test_a_calibration_for_other_models_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    calibrated = CalibratedExtract(UNFITTED.model_copy(update={"extractor": "a", "verifier": "b"}))
    document, one, other = document_of(PAGE), reading_of(PAGE, revision="a"), reading_of(PAGE, revision="c")
    with caplog.at_level(logging.WARNING):
        calibrated.every(document, one, other)
        calibrated.one(document, one, other)
    (record,) = caplog.records
    assert "calibrated for other models (a and b)" in record.getMessage()


def test_one_for_these_models_is_silent(caplog: pytest.LogCaptureFixture) -> None:
    calibrated = CalibratedExtract(UNFITTED.model_copy(update={"extractor": "a", "verifier": "a"}))
    reading = reading_of(PAGE, revision="a")
    calibrated.every(document_of(PAGE), reading, reading)
    assert not caplog.records


def test_levels_come_from_the_calibration() -> None:
    nothing_is_mid = UNFITTED.model_copy(
        update={"fields": {field: part.model_copy(update={"mid": 1.0}) for field, part in UNFITTED.fields.items()}}
    )
    reading = reading_of(PAGE)
    (usual,) = CalibratedExtract(UNFITTED).one(document_of(PAGE), reading, reading)
    (strict,) = CalibratedExtract(nothing_is_mid).one(document_of(PAGE), reading, reading)
    assert (usual.extraction.field_confidence or {})[Field.AMOUNT] is Confidence.MID
    assert set((strict.extraction.field_confidence or {}).values()) == {Confidence.LOW}
