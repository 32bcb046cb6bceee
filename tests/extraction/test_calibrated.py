"""Each pair of models is judged by its own calibration; without one, nothing is high."""

import logging

import pytest

from serve_app.domain.invoice import Confidence, Extraction, Field
from serve_app.domain.target_precision import TargetPrecision
from serve_app.extraction.confidence.calibrated import CalibratedExtract
from serve_app.extraction.confidence.calibration import UNFITTED, Calibration, parse_calibration
from serve_app.extraction.confidence.calibrations import Calibrations
from tests.extraction.pages import document_of, model_named, reading_of

PAGE = [
    "Akme|SELLER Ltd|SELLER",
    "Invoice No. INV-42|INVOICE_NUMBER",
    "Net £50.00|SUBTOTAL",
    "VAT £10.00|TAX",
    "Total £60.00|TOTAL",
]


def fitted(extractor: str, verifier: str, *, high: float = 0.0) -> Calibration:
    """One by which whatever may be high is high, however unlikely."""
    parts = {field: part.model_copy(update={"high": high}) for field, part in UNFITTED.fields.items()}
    return UNFITTED.bound_to(model_named(extractor), model_named(verifier)).model_copy(update={"fields": parts})


def read(calibrations: Calibrations, extractor: str, verifier: str) -> Extraction:
    readings = [reading_of(PAGE, revision=revision) for revision in (extractor, verifier)]
    (section,) = CalibratedExtract(calibrations).one(document_of(PAGE), *readings)
    return section.extraction


def amount_of(calibrations: Calibrations, extractor: str, verifier: str) -> Confidence:
    return (read(calibrations, extractor, verifier).field_confidence or {})[Field.AMOUNT]


def test_every_pair_has_its_own() -> None:
    calibrations = Calibrations(fitted("a", "b"), fitted("c", "b", high=0.99999))
    assert amount_of(calibrations, "a", "b") is Confidence.HIGH
    assert amount_of(calibrations, "c", "b") is Confidence.MID


def test_nothing_is_high_for_a_pair_without_one() -> None:
    calibrations = Calibrations(fitted("a", "b"))
    assert amount_of(calibrations, "a", "c") is Confidence.MID
    assert amount_of(calibrations, "b", "a") is Confidence.MID


def test_a_model_that_reads_twice_agrees_with_itself_only() -> None:
    assert amount_of(Calibrations(fitted("a", "a")), "a", "a") is Confidence.MID


def test_a_missing_one_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    calibrated = CalibratedExtract(Calibrations(fitted("a", "b")))
    document, one, other = document_of(PAGE), reading_of(PAGE, revision="a"), reading_of(PAGE, revision="c")
    with caplog.at_level(logging.WARNING):
        calibrated.every(document, one, other)
        calibrated.one(document, one, other)
    (record,) = caplog.records
    assert record.getMessage() == "no value is high: no calibration was fitted on the models a and c"


def test_a_message_says_whether_names_or_files_are_the_reason() -> None:
    bound = fitted("a", "b")
    named = bound.model_copy(update={"extractor_sha256": None, "verifier_sha256": None})
    assert Calibrations(bound).problem(model_named("a"), model_named("b")) is None
    assert "invoices models bind" in str(Calibrations(named).problem(model_named("a"), model_named("b")))
    other = Calibrations(bound).problem(model_named("a", "other weights"), model_named("b"))
    assert "on other models of these names" in str(other)


def test_one_for_these_models_is_silent(caplog: pytest.LogCaptureFixture) -> None:
    read(Calibrations(fitted("x", "y"), fitted("a", "b")), "a", "b")
    assert not caplog.records


def at_each(stricter: dict[TargetPrecision, float]) -> list[Confidence]:
    """The level of the amount for each target precision."""
    calibration = fitted("a", "b")
    parts = {field: part.model_copy(update={"stricter": stricter}) for field, part in calibration.fields.items()}
    calibration = calibration.model_copy(update={"fields": parts})
    document, pair = document_of(PAGE), [reading_of(PAGE, revision=revision) for revision in ("a", "b")]
    found = [CalibratedExtract(Calibrations(calibration), target).one(document, *pair)[0] for target in TargetPrecision]
    assert [section.extraction.target_precision for section in found] == list(TargetPrecision)
    return [(section.extraction.field_confidence or {})[Field.AMOUNT] for section in found]


def test_a_stricter_target_has_its_own_threshold() -> None:
    never = at_each({TargetPrecision.HIGHER: 0.0, TargetPrecision.HIGHEST: 1.0})
    assert never == [Confidence.HIGH, Confidence.HIGH, Confidence.MID]


def test_nothing_is_high_at_a_target_that_was_not_fitted() -> None:
    assert at_each({}) == [Confidence.HIGH, Confidence.MID, Confidence.MID]


def test_the_file_says_which_targets_were_fitted() -> None:
    text = UNFITTED.at(TargetPrecision.HIGHER).model_dump_json()
    assert parse_calibration(text).target is TargetPrecision.STANDARD
    assert parse_calibration(text).targets == {TargetPrecision.STANDARD}
    row = UNFITTED.row.model_copy(update={"stricter": {TargetPrecision.HIGHER: 0.95}})
    both = UNFITTED.model_copy(update={"fields": dict.fromkeys(UNFITTED.fields, row), "row": row})
    assert '"stricter":{"0.995":0.95}' in both.model_dump_json()
    assert parse_calibration(both.model_dump_json()).targets == {TargetPrecision.STANDARD, TargetPrecision.HIGHER}


def test_a_pair_that_was_not_fitted_for_a_target_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    calibrations, pair = Calibrations(fitted("a", "b")), (model_named("a"), model_named("b"))
    for target in (TargetPrecision.STANDARD, TargetPrecision.HIGHER, TargetPrecision.HIGHER):
        calibrations.warn(*pair, target)
    (record,) = caplog.records
    assert "the calibration for a and b has no target precision 0.995" in record.getMessage()
