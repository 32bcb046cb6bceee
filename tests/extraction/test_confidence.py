"""Confidence is monotonic, keeps the contract's conditions, and comes from a file that is checked."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from serve_app.domain.invoice import Confidence, Field
from serve_app.extraction.calibration import FEATURES, UNFITTED, Calibration, CalibrationError, parse_calibration
from serve_app.extraction.confidence import Support, features, level, may_be_high, probability
from serve_app.extraction.extract import extract_invoice
from serve_app.extraction.witnesses import hear
from tests.extraction.pages import document_of, reading_of

PART = UNFITTED.fields[Field.VENDOR]
SURE = Support(models_agree=True, adds_up=True, extractor=0.95, verifier=0.95)
WEAK = Support(
    models_agree=False,
    adds_up=False,
    extractor=0.5,
    verifier=0.0,
    rival=0.6,
    legibility=0.7,
    is_plausible=False,
    is_foreign=True,
)


@pytest.mark.parametrize(
    "more",
    [
        {"models_agree": True},
        {"adds_up": True},
        {"extractor": 0.6},
        {"verifier": 0.1},
        {"together": 0.6},
        {"rival": 0.5},
        {"legibility": 0.8},
        {"is_plausible": True},
        {"is_foreign": False},
        {"einvoice_agrees": True},
    ],
)
def test_more_evidence_makes_a_value_likelier(more: dict[str, Any]) -> None:
    assert probability(replace(WEAK, **more), PART) > probability(WEAK, PART)


def test_an_electronic_invoice_that_contradicts_changes_nothing() -> None:
    assert probability(replace(WEAK, einvoice_agrees=False), PART) == probability(WEAK, PART)


@pytest.mark.parametrize(
    "less",
    [{"models_agree": False}, {"adds_up": False}, {"legibility": 0.4}, {"is_plausible": False}, {"is_foreign": True}],
)
def test_nothing_is_high_without_agreement_arithmetic_a_legible_text_sense_and_an_invoice(less: dict[str, Any]) -> None:
    easy = PART.model_copy(update={"high": 0.0})
    assert level(SURE, easy) is Confidence.HIGH
    assert level(replace(SURE, **less), easy) is not Confidence.HIGH


def test_levels_follow_the_probability() -> None:
    chance = probability(SURE, PART)
    assert level(SURE, PART.model_copy(update={"high": chance})) is Confidence.HIGH
    assert level(SURE, PART.model_copy(update={"high": 1.0, "mid": chance})) is Confidence.MID
    assert level(SURE, PART.model_copy(update={"high": 1.0, "mid": 1.0})) is Confidence.LOW


def test_probabilities_stay_between_0_and_1_however_strong_the_weights() -> None:
    strong = PART.model_copy(update={"weights": (1000.0,) * len(FEATURES)})
    assert 0 <= probability(WEAK, strong) < probability(SURE, strong) <= 1


def test_every_feature_has_a_weight() -> None:
    assert len(features(SURE)) == len(FEATURES) == len(PART.weights)


def test_a_calibration_survives_its_file() -> None:
    fitted = UNFITTED.model_copy(update={"extractor": "a-1", "verifier": "b-2", "fitted_at": "2026-11-21"})
    assert parse_calibration(fitted.model_dump_json()) == fitted
    assert fitted.is_for("a-1", "b-2")
    assert not fitted.is_for("a-1", "b-3")


def broken(change: dict[str, object]) -> str:
    return json.dumps({**json.loads(UNFITTED.model_dump_json()), **change})


NEGATIVE = {**json.loads(PART.model_dump_json()), "weights": [-1.0] * len(FEATURES)}
SHORT = {**json.loads(PART.model_dump_json()), "weights": [1.0]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not JSON", "Invalid JSON"),
        (broken({"format": 2}), "format: Input should be 1"),
        (broken({"fields": {}}), "fields: .*no calibration of vendor"),
        (broken({"row": NEGATIVE}), r"row.weights.0: .*greater than or equal to 0"),
        (broken({"row": SHORT}), "row.weights: .*1 weights for the features"),
        (broken({"features": ["agreement"]}), "features: .*fitted on the features agreement"),
        (broken({"unknown": 1}), "unknown: Extra inputs"),
    ],
)
def test_a_broken_calibration_is_refused_with_its_reason(text: str, message: str) -> None:
    with pytest.raises(CalibrationError, match=message):
        parse_calibration(text)


INVOICE = [
    "Akme|SELLER Ltd|SELLER",
    "No. INV-42|INVOICE_NUMBER",
    "Net 50.00|SUBTOTAL VAT 10.00|TAX",
    "Total £60.00|TOTAL",
]


def test_quality_is_the_mean_probability_of_the_header_fields() -> None:
    certain = flat(0.9)
    result = extract_invoice(document_of(INVOICE), reading_of(INVOICE), reading_of(INVOICE), certain)
    assert result.quality_score == 0.9


def test_what_is_not_given_has_no_confidence() -> None:
    result = extract_invoice(document_of(INVOICE), reading_of(INVOICE), reading_of(INVOICE))
    assert result.due_at is None
    assert Field.DUE_AT not in (result.field_confidence or {})


def flat(chance: float) -> Calibration:
    """Every value has the same probability, whatever the evidence."""
    part = PART.model_copy(
        update={"intercept": math.log(chance / (1 - chance)), "weights": (0.0,) * len(FEATURES), "high": 1.0}
    )
    return Calibration(fields=dict.fromkeys(Field, part), row=part)


@pytest.mark.parametrize(("printed", "may_be"), [("$60.00", False), ("CAD60.00", True)])
def test_a_dollar_of_which_only_the_country_says_which_is_never_high(printed: str, may_be: bool) -> None:
    page = ["Akme|SELLER Ltd|SELLER", "Toronto Ontario Canada (416) 555-0199", "Net 50.00|SUBTOTAL HST 10.00|TAX"]
    page += [f"Total {printed}|TOTAL"]
    heard = hear(document_of(page), reading_of(page), reading_of(page))
    assert heard.answers()[Field.CURRENCY].value == "CAD"
    assert may_be_high(heard.support(Field.CURRENCY)) is may_be


@pytest.mark.parametrize(
    ("lines", "may_be"),
    [
        (("Akme|SELLER Inc|SELLER", "New York, NY 10001"), True),
        (("Akme|SELLER S.A.|SELLER", "Calle 5, Monterrey"), False),
    ],
)
def test_a_dollar_sign_is_sure_only_where_the_country_is_plain(lines: tuple[str, ...], may_be: bool) -> None:
    page = [*lines, "Net 50.00|SUBTOTAL Tax 10.00|TAX", "Total $60.00|TOTAL"]
    heard = hear(document_of(page), reading_of(page), reading_of(page))
    assert heard.answers()[Field.CURRENCY].value == "USD"
    assert may_be_high(heard.support(Field.CURRENCY)) is may_be


def test_a_currency_that_nothing_prints_is_never_high() -> None:
    page = ["Akme|SELLER Ltd. Şti.", "Ankara Türkiye", "Net 50.00|SUBTOTAL KDV 10.00|TAX", "Toplam 60.00|TOTAL"]
    heard = hear(document_of(page), reading_of(page), reading_of(page))
    assert heard.answers()[Field.CURRENCY].value == "TRY"
    assert not may_be_high(heard.support(Field.CURRENCY))


def test_the_tax_number_of_a_company_is_no_number_of_an_invoice() -> None:
    page = ["Akme|SELLER B.V.|SELLER", "NL598555002B02|INVOICE_NUMBER", "Net 50.00|SUBTOTAL", "Total 60.00|TOTAL"]
    heard = hear(document_of(page), reading_of(page), reading_of(page))
    assert not heard.support(Field.INVOICE_NUMBER).is_plausible
