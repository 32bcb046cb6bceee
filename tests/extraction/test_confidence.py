"""Confidence is monotonic, keeps the contract's conditions, and comes from a file that is checked."""

import json
import math
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from serve_app.domain.document import Document, TextSource
from serve_app.domain.invoice import Confidence, Field
from serve_app.domain.model_identity import ModelIdentity
from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.confidence.calibration import (
    FEATURES,
    UNFITTED,
    Calibration,
    CalibrationError,
    Logistic,
    parse_calibration,
)
from serve_app.extraction.confidence.confidence import LEGIBLE, Support, features, level, may_be_high, probability
from serve_app.extraction.confidence.document_evidence import collect_evidence
from serve_app.extraction.confidence.rules import is_plausible
from tests.extraction.pages import document_of, extract_invoice, model_named, reading_of

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
        {"data_agrees": True},
    ],
)
def test_more_evidence_makes_a_value_likelier(more: dict[str, Any]) -> None:
    assert probability(replace(WEAK, **more), PART) > probability(WEAK, PART)


@pytest.mark.parametrize(
    ("name", "source", "is_certain"),
    [
        ("Akme", TextSource.OCR, True),
        ("東京商事", TextSource.OCR, True),
        ("Акме", TextSource.OCR, False),
        ("ΑΚΜΗ", TextSource.OCR, False),
        ("Акме", TextSource.TEXT_LAYER, True),
    ],
)
def test_letters_that_one_engine_alone_reads_are_not_certain(name: str, source: TextSource, is_certain: bool) -> None:
    lines = [f"{name}|SELLER", "Total 60.00|TOTAL"]
    (page,) = document_of(lines).pages
    document = Document((replace(page, source=source),))
    collected = collect_evidence(document, reading_of(lines), reading_of(lines))
    assert collected.answers()[Field.VENDOR].value == name
    assert (collected.support(Field.VENDOR).legibility >= LEGIBLE) is is_certain


@pytest.mark.parametrize(("number", "is_certain"), [("RE0417", True), ("N000417", False)])
def test_a_letter_that_may_be_the_rest_of_a_sign_is_not_certain(number: str, is_certain: bool) -> None:
    lines = ["Akme Ltd|SELLER", f"Invoice {number}|INVOICE_NUMBER", "Total 60.00|TOTAL"]
    document = Document((replace(document_of(lines).pages[0], source=TextSource.OCR),))
    collected = collect_evidence(document, reading_of(lines), reading_of(lines))
    assert collected.answers()[Field.INVOICE_NUMBER].value == number
    assert (collected.support(Field.INVOICE_NUMBER).legibility >= LEGIBLE) is is_certain


def test_an_electronic_invoice_that_contradicts_changes_nothing() -> None:
    assert probability(replace(WEAK, data_agrees=False), PART) == probability(WEAK, PART)


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
    fitted = UNFITTED.bound_to(model_named("a-1"), model_named("b-2")).model_copy(update={"fitted_at": "2026-11-21"})
    assert parse_calibration(fitted.model_dump_json()) == fitted


def test_a_calibration_is_for_the_content_of_two_models_whatever_they_are_called() -> None:
    fitted = UNFITTED.bound_to(model_named("a-1"), model_named("b-2"))
    assert fitted.is_for(model_named("a-1"), model_named("b-2"))
    assert fitted.is_for(model_named("renamed", "a-1"), model_named("b-2"))
    assert not fitted.is_for(model_named("a-1", "other weights"), model_named("b-2"))
    assert not fitted.is_for(model_named("a-1"), model_named("b-3"))
    assert not fitted.is_for(ModelIdentity("a-1"), ModelIdentity("b-2"))


def test_a_calibration_with_names_only_is_for_no_models() -> None:
    named = UNFITTED.model_copy(update={"extractor": "a-1", "verifier": "b-2"})
    assert named.has_names_only
    assert not named.is_for(model_named("a-1"), model_named("b-2"))
    assert not named.is_for(ModelIdentity("a-1"), ModelIdentity("b-2"))
    assert not UNFITTED.is_for(ModelIdentity("a-1"), ModelIdentity("b-2"))


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
        (broken({"unknown": 1}), "unknown: unknown key"),
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


@pytest.mark.parametrize(
    ("printed", "tax", "may_be"),
    [("$60.00", "HST", True), ("$60.00", "Tax", False), ("CAD60.00", "Tax", True)],
)
def test_a_dollar_is_another_countrys_only_if_that_country_taxes_it(printed: str, tax: str, may_be: bool) -> None:
    page = ["Akme|SELLER Ltd|SELLER", "Toronto Ontario Canada (416) 555-0199", f"Net 50.00|SUBTOTAL {tax} 10.00|TAX"]
    page += [f"Total {printed}|TOTAL"]
    assert currency_of(page) == ("CAD", may_be)


@pytest.mark.parametrize(
    ("lines", "may_be"),
    [
        (("Akme|SELLER Inc|SELLER", "New York, NY 10001"), True),
        (("Akme|SELLER S.A.|SELLER", "Calle 5"), False),
    ],
)
def test_a_dollar_sign_is_sure_only_where_the_country_is_plain(lines: tuple[str, ...], may_be: bool) -> None:
    page = [*lines, "Net 50.00|SUBTOTAL Tax 10.00|TAX", "Total $60.00|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.CURRENCY].value == "USD"
    assert may_be_high(collected.support(Field.CURRENCY)) is may_be


@pytest.mark.parametrize(
    ("address", "tax", "may_be"),
    [
        ("Ankara Türkiye", "KDV", True),
        # Its tax is not named.
        ("Ankara Türkiye", "Tax", False),
        # Nothing tells the place.
        ("Atatürk Cad. 5", "KDV", False),
        # Another country is named as well.
        ("Ankara Türkiye +49 30 1234", "KDV", False),
    ],
)
def test_a_currency_that_nothing_prints_is_sure_only_where_the_country_is_plain(
    address: str, tax: str, may_be: bool
) -> None:
    page = ["Akme|SELLER Ltd. Şti.", address, f"Net 50.00|SUBTOTAL {tax} 10.00|TAX", "Toplam 60.00|TOTAL"]
    found, is_sure = currency_of(page)
    assert is_sure is may_be
    assert found == "TRY" or not is_sure


def test_a_country_proves_no_currency_where_another_one_is_printed() -> None:
    page = ["Akme|SELLER A.Ş.", "Ankara Türkiye", "Net 50.00|SUBTOTAL KDV 10.00|TAX", "Toplam 60.00|TOTAL"]
    for printed in ("USD hesabı", "1 € = 50,00", "$ 5"):
        assert currency_of([*page, printed]) != ("TRY", True)


def test_a_currency_needs_one_model_that_points_at_its_amount() -> None:
    page = ["Akme|SELLER Ltd|SELLER", "Net 50.00|SUBTOTAL VAT 10.00|TAX", "Total £60.00|TOTAL"]
    blind = [line.replace("60.00|TOTAL", "60.00|CURRENCY") for line in page]
    assert currency_of(page, blind) == ("GBP", True)
    assert currency_of(blind, blind) == ("GBP", False)


def currency_of(page: list[str], other: list[str] | None = None) -> tuple[str, bool]:
    """The currency of a page that two models read, and whether it may be `high`."""
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(other or page))
    return collected.answers()[Field.CURRENCY].value, may_be_high(collected.support(Field.CURRENCY))


@pytest.mark.parametrize(
    ("lines", "may_be"),
    [
        (("VAT 0.00|TAX",), True),
        # What is called so beside another tax is one of several, or something else.
        (("VAT 0.00|TAX", "GST 6.00"), False),
        (("VAT 0.00|TAX", "incl. 20% 10.00"), False),
        (("Rounding 0.00|TAX",), False),
    ],
)
def test_a_tax_of_zero_is_proved_if_nothing_else_may_be_one(lines: tuple[str, ...], may_be: bool) -> None:
    page = ["Akme|SELLER Ltd|SELLER", "Shipping 10.00|SHIPPING Net 50.00|SUBTOTAL", *lines, "Total £60.00|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.TAX].value == 0
    assert may_be_high(collected.support(Field.TAX)) is may_be


@pytest.mark.parametrize(("tax", "may_be"), [("", True), ("Sales tax 5.00|TAX", False)])
def test_a_model_may_call_what_a_commission_leaves_the_net_sum(tax: str, may_be: bool) -> None:
    page = ["KXYZ|SELLER Inc|SELLER", "Gross total $1,000.00", "Agency commission $150.00", "Net amount $850.00|TOTAL"]
    page += [tax] * bool(tax)
    net = [line.replace("850.00|TOTAL", "850.00|SUBTOTAL") for line in page]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(net))
    assert collected.agree_on(Field.AMOUNT) is may_be


def test_the_tax_number_of_a_company_is_no_number_of_an_invoice() -> None:
    page = ["Akme|SELLER B.V.|SELLER", "NL598555002B02|INVOICE_NUMBER", "Net 50.00|SUBTOTAL", "Total 60.00|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert not collected.support(Field.INVOICE_NUMBER).is_plausible


@pytest.mark.parametrize(("tax", "is_usual"), [("12.00", True), ("60.00", False)])
def test_an_amount_is_not_all_tax(tax: str, is_usual: bool) -> None:
    values = {Field.AMOUNT: Decimal("60.00"), Field.TAX: Decimal(tax)}
    found = {field: Candidate(value, 1.0, Place(0, (0,))) for field, value in values.items()}
    assert is_plausible(Field.AMOUNT, found) is is_usual


@pytest.mark.parametrize(("sure", "agree"), [(0.08, True), (0.02, False)])
def test_a_model_needs_some_support_for_a_value_that_its_captions_show(sure: float, agree: bool) -> None:
    page = ["Akme|SELLER Ltd|SELLER", "Net 50.00|SUBTOTAL VAT 10.00|TAX", "Total £60.00|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page, sure=sure))
    assert collected.verifier.points_at(Field.AMOUNT) is agree


@pytest.mark.parametrize(("number", "is_plausible"), [("Invoice no ES-2025-17", True), ("Invoice no ES-2025-", False)])
def test_a_number_that_goes_on_elsewhere_is_not_high(number: str, is_plausible: bool) -> None:
    page = [f"{number}|INVOICE_NUMBER", "Total 12.00|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.support(Field.INVOICE_NUMBER).is_plausible is is_plausible


@pytest.mark.parametrize(
    ("line", "is_plausible"),
    [
        ("B ~ ~ 3358|INVOICE_NUMBER", False),
        ("Total ~ ~ 3358|INVOICE_NUMBER", True),
        ("B ~ ~ B-3358|INVOICE_NUMBER", True),
    ],
)
def test_a_number_beside_letters_that_may_be_its_series_is_not_high(line: str, is_plausible: bool) -> None:
    page = ["~ ~ ~ Invoice no", line, "Total 12.00|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.support(Field.INVOICE_NUMBER).is_plausible is is_plausible


def test_a_day_beside_one_that_is_called_the_date_of_issue_is_not_high() -> None:
    page = [
        "Date in ~ ~ Invoice date ~ ~ Invoice no",
        "8/22/2024|ISSUE_DATE ~ ~ ~ 8/24/2024 ~ ~ INV-20517",
        "Total $12.00|TOTAL",
    ]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.ISSUED_AT].value == date(2024, 8, 22)
    assert not collected.support(Field.ISSUED_AT).is_plausible


def test_a_name_that_a_heading_makes_the_sellers_has_no_rival() -> None:
    name = ["Akme|SELLER Tools|SELLER Ltd|SELLER", "1 High Street, Tel. 030 1234"]
    person = "Hans|SELLER Muster|SELLER"
    assert not _vendor_is_plausible([*name, person])
    assert _vendor_is_plausible([f"Seller: {name[0]}", name[1], person])


def _vendor_is_plausible(page: list[str]) -> bool:
    # Both models see a name in each of the two, and the company's the surer.
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.VENDOR].value == "Akme Tools Ltd"
    return collected.support(Field.VENDOR).is_plausible


@pytest.mark.parametrize(
    ("line", "is_plausible"),
    [
        ("Invoice no 4711|INVOICE_NUMBER", True),
        ("No 4711|INVOICE_NUMBER", True),
        ("Customer no 4711|INVOICE_NUMBER", False),
        ("Betreft factuur 4711|INVOICE_NUMBER", False),
    ],
)
def test_a_number_that_is_called_something_else_is_not_high(line: str, is_plausible: bool) -> None:
    page = [line, "Total 12.00|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.support(Field.INVOICE_NUMBER).is_plausible is is_plausible


def test_no_number_is_sure_where_another_one_is_called_the_invoice_s() -> None:
    page = ["Trans# 00118844|INVOICE_NUMBER", "Total 12.00|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.support(Field.INVOICE_NUMBER).is_plausible
    page = ["SI No. 000447182", *page]
    collected = collect_evidence(document_of(page), reading_of(page, sure=0.99), reading_of(page, sure=0.99))
    assert collected.answers()[Field.INVOICE_NUMBER].value == "00118844"
    assert not collected.support(Field.INVOICE_NUMBER).is_plausible


@pytest.mark.parametrize(("caption", "is_plausible"), [("Rechnungsdatum", False), ("Lieferdatum", True)])
def test_no_issue_date_is_sure_where_captions_are_below_their_values(caption: str, is_plausible: bool) -> None:
    page = ["Akme|SELLER Ltd|SELLER", "Datum 22.09.2025|ISSUE_DATE", "Versand", "~ ~ 11.09.2025", f"~ ~ {caption}"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.ISSUED_AT].value == date(2025, 9, 22)
    assert collected.support(Field.ISSUED_AT).is_plausible is is_plausible


def test_values_that_fulfil_the_conditions_have_a_model_of_their_own() -> None:
    proved = Logistic(intercept=4.0, weights=(0.0,) * len(FEATURES))
    part = PART.model_copy(update={"proved": proved})
    assert probability(SURE, part) == pytest.approx(1 / (1 + math.exp(-4.0)))
    assert probability(replace(SURE, adds_up=False), part) == probability(replace(SURE, adds_up=False), PART)
    # The conditions make no value less likely than it would be without them.
    doubted = part.model_copy(update={"proved": proved.model_copy(update={"intercept": -4.0})})
    assert probability(SURE, doubted) == probability(SURE, PART)


def test_a_calibration_without_such_a_model_is_still_read() -> None:
    old = json.loads(UNFITTED.model_dump_json())
    for part in (*old["fields"].values(), old["row"]):
        del part["proved"]
    assert parse_calibration(json.dumps(old)) == UNFITTED
