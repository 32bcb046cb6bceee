"""Each wrong or missed value of an evaluation has its cause, the candidates, and a picture of its place."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.evaluation.dataset import Case
from models.evaluation.errors.causes import Cause, Compared, Verdict
from models.evaluation.errors.collect import ErrorLog, FieldError
from models.evaluation.errors.crops import Spot, crops, spots_of_lines
from models.evaluation.errors.report import DATA, PAGE, write_errors
from models.evaluation.outcome import Outcome
from models.evaluation.record import Earlier, Scored
from serve_app.documents.options import ReadOptions
from serve_app.domain.errors import DocumentError
from serve_app.domain.evidence import ReadBy
from serve_app.domain.invoice import Confidence, FailureCode
from serve_app.extraction.confidence.calibration import UNFITTED
from serve_app.extraction.sections import extract_sections
from tests.extraction.pages import Lines, document_of, reading_of

TRUTH = {
    "vendor_name": "Akme Ltd",
    "invoice_number": "INV-42",
    "amount": 60.0,
    "currency": "GBP",
    "issued_at": "2024-05-03",
    "due_at": None,
    "tax": 10.0,
}
PAGE_LINES = [
    "<i>Akme</i>|SELLER Ltd|SELLER",
    "Invoice No. INV-42|INVOICE_NUMBER",
    "Net £50.00|SUBTOTAL",
    "VAT £10.00|TAX",
    "Total £60.00|TOTAL",
]
# The verifier takes another sum for the total.
VERIFIER_LINES = [*PAGE_LINES[:2], "Net £50.00|TOTAL", "VAT £10.00|TAX", "Total £60.00"]


def compared(field: str, given: str | None, **known: Any) -> Compared:
    return Compared(field, TRUTH, given, known.pop("level", None), **known)


@pytest.mark.parametrize(
    ("one", "causes"),
    [
        (compared("amount", "60.00", level=Confidence.HIGH), ()),
        (compared("amount", "60.00", level=Confidence.MID), (Cause.RIGHT_NOT_HIGH,)),
        (compared("due_at", None), ()),
        (compared("due_at", "2024-06-03", level=Confidence.MID), (Cause.NOT_PRINTED,)),
        (compared("amount", None, is_found=False, is_filled=False), (Cause.NO_INVOICE,)),
        (compared("amount", None, is_read=False), (Cause.NOT_READ,)),
        (compared("amount", "50.00", ranked=["50.00"]), (Cause.NOT_CANDIDATE,)),
        (compared("amount", "50.00", ranked=["50.00", "60.00"]), (Cause.RANKED_LOWER,)),
        (compared("amount", "50.00", other=["60.00"]), (Cause.RANKED_LOWER,)),
        (compared("amount", None, ranked=["60.00"]), (Cause.RANKED_LOWER,)),
        (compared("amount", "50", ranked=["60.00", "50.00"]), (Cause.SUMS,)),
        (compared("amount", "50.00", level=Confidence.HIGH), (Cause.NOT_CANDIDATE, Cause.WRONG_AT_HIGH)),
    ],
)
def test_a_value_has_the_first_cause_that_explains_it(one: Compared, causes: tuple[Cause, ...]) -> None:
    assert one.causes == causes


@pytest.mark.parametrize(
    ("field", "given", "confusion"),
    [
        ("amount", "10.00", "tax"),
        ("amount", "600.00", "same digits"),
        ("amount", "61.00", "another number"),
        ("issued_at", "2024-03-05", "day and month swapped"),
        ("issued_at", "2024-05-04", "a few letters differ"),
        ("invoice_number", "INV-42-1", "too long"),
        ("invoice_number", "42", "too short"),
        ("vendor_name", "Akne Ltd", "a few letters differ"),
        ("vendor_name", "Zoll & Partner", "another value"),
        ("due_at", "2024-05-03", "issued_at"),
        ("due_at", "2024-07-01", "nothing printed"),
        ("amount", "60.00", None),
        ("amount", None, None),
    ],
)
def test_a_wrong_value_is_another_field_or_differs_in_a_known_way(
    field: str, given: str | None, confusion: str | None
) -> None:
    assert compared(field, given).confusion == confusion


def case_of(truth: dict[str, Any] | None, path: Path = Path("one.pdf")) -> Case:
    return Case("set_a", path, () if truth is None else (truth,), source="set")


def collected(truth: dict[str, Any] | None, log: ErrorLog | None = None) -> ErrorLog:
    document = document_of(PAGE_LINES)
    readings = reading_of(PAGE_LINES, revision="one"), reading_of(VERIFIER_LINES, revision="two")
    log = log or ErrorLog(ReadOptions(), draws=False)
    sections = list(extract_sections(document, *readings, UNFITTED))
    log.add(case_of(truth), Outcome(sections, None, document, 0.0, 0.0), readings)
    return log


def by_field(log: ErrorLog) -> dict[str, FieldError]:
    return {error.scored.field: error for error in log.errors}


def test_an_error_has_both_values_the_models_answers_and_the_candidates_with_their_weights() -> None:
    error = by_field(collected({**TRUTH, "invoice_number": "INV-43"}))["invoice_number"]
    assert (error.true, error.given, error.extractor, error.verifier) == ("INV-43", "INV-42", "INV-42", "INV-42")
    assert (error.verdict, error.causes) == (Verdict.WRONG, (Cause.NOT_READ,))
    assert error.candidates[0].candidate.value == "INV-42"
    assert "model:invoice_number" in error.candidates[0].shares
    assert not error.candidates[0].is_true


def test_right_values_that_are_not_high_are_in_the_list_and_fields_that_are_not_scored_are_not() -> None:
    found = by_field(collected({"amount": 60.0, "tax": 11.0, "_not_printed": ["tax"]}))
    assert found.keys() == {"amount"}
    assert found["amount"].causes == (Cause.RIGHT_NOT_HIGH,)


def test_values_of_a_file_without_an_invoice_are_invented() -> None:
    found = by_field(collected(None))
    assert {error.verdict for error in found.values()} == {Verdict.INVENTED}
    assert {"vendor_name", "amount"} <= found.keys()


def test_a_file_that_cannot_be_read_misses_what_it_prints() -> None:
    log = ErrorLog(ReadOptions(), draws=False)
    log.add(case_of(TRUTH), Outcome([], DocumentError(FailureCode.DOCUMENT_UNREADABLE, "no"), None, 0, 0), None)
    assert {(error.verdict, error.causes) for error in log.errors} == {(Verdict.MISSED, (Cause.NO_INVOICE,))}
    assert "due_at" not in by_field(log)


def test_values_that_are_right_again_are_shown_beside_the_earlier_ones() -> None:
    earlier = {Scored("set_a/one.pdf", 0, "amount"): Earlier(right=False, given="50.00", level="high")}
    log = collected({"amount": 60.0}, ErrorLog(ReadOptions(), earlier, draws=False))
    assert by_field(log)["amount"].before == Earlier(right=False, given="50.00", level="high")


def test_the_page_has_its_filters_and_holds_no_markup_of_the_document(tmp_path: Path) -> None:
    earlier = {Scored("set_a/one.pdf", 0, "tax"): Earlier(right=True, given="11.00", level="high")}
    log = collected({**TRUTH, "vendor_name": "<b>Akme", "tax": 11.0}, ErrorLog(ReadOptions(), earlier, draws=False))
    write_errors(tmp_path, log, "one, two")
    page = (tmp_path / PAGE).read_text()
    assert "<i>Akme" not in page
    assert "<b>Akme" not in page
    assert "&lt;b&gt;Akme" in page
    assert set(re.findall(r'<select name="(\w+)">', page)) >= {"verdict", "field", "cause", "level", "change"}
    assert page.count("<article ") == len(log.errors)
    assert re.search(r'data-field="tax"[^>]*data-change="lost"', page)
    # Nothing is loaded from elsewhere.
    assert not re.search(r"(src|href)=\"(?!data:)", page)


def test_the_data_have_every_error_and_the_counts(tmp_path: Path) -> None:
    log = collected({**TRUTH, "amount": 61.0})
    write_errors(tmp_path, log, "one, two")
    data = json.loads((tmp_path / DATA).read_text())
    assert len(data["errors"]) == len(log.errors)
    (rate,) = data["by_source"]
    assert rate == {
        "name": "set", "wrong": data["wrong_or_missed"], "scored": 7, "wrong_rows": 0, "scored_rows": 0
    }  # fmt: skip
    assert {"field": "amount", "given": "another number", "values": 1} in data["confusions"]
    amount = next(error for error in data["errors"] if error["field"] == "amount")
    assert (amount["true"], amount["given"], amount["document"]) == ("61.0", "60.00", "set_a/one.pdf")


ROWS = [
    "<i>Akme</i>|SELLER Ltd|SELLER",
    "Invoice No. INV-42|INVOICE_NUMBER",
    "Steel|LINE_DESCRIPTION hammer|LINE_DESCRIPTION 2|LINE_QUANTITY 10.00|LINE_UNIT_PRICE 20.00|LINE_TOTAL",
    "Long|LINE_DESCRIPTION saw|LINE_DESCRIPTION 1|LINE_QUANTITY 30.00|LINE_UNIT_PRICE 30.00|LINE_TOTAL",
    "Total £50.00|TOTAL",
]
HAMMER = {"description": "Steel hammer", "quantity": 2, "unit_price": 10.0}
SAW = {"description": "Long saw", "quantity": 1, "unit_price": 30.0}


def rows_of(
    true_rows: list[dict[str, Any]],
    log: ErrorLog | None = None,
    lines: Lines = ROWS,
    others: Lines | None = None,
) -> list[FieldError]:
    """The errors of the line items if these are the true ones; `others` is how the verifier labels the lines."""
    document = document_of(lines)
    readings = reading_of(lines, revision="one"), reading_of(others or lines, revision="two")
    log = log or ErrorLog(ReadOptions(), draws=False)
    sections = list(extract_sections(document, *readings, UNFITTED))
    log.add(case_of({"line_items": true_rows}), Outcome(sections, None, document, 0.0, 0.0), readings)
    return log.errors


def test_a_wrong_row_stands_beside_the_true_one_and_names_the_cells_that_differ() -> None:
    wrong = next(error for error in rows_of([{**HAMMER, "quantity": 3}, SAW]) if error.verdict is Verdict.WRONG)
    assert (wrong.scored.field, wrong.scored.row, wrong.confusion) == ("line_items", 0, "quantity")
    assert (wrong.true, wrong.given) == ("Steel hammer | 3 | 10", "Steel hammer | 2 | 10")
    assert wrong.causes[0] is Cause.NOT_CANDIDATE


def test_a_row_has_the_answers_of_both_models_and_its_candidates() -> None:
    wrong = next(error for error in rows_of([{**HAMMER, "quantity": 3}, SAW]) if error.verdict is Verdict.WRONG)
    assert wrong.extractor == wrong.verifier == wrong.given
    (only,) = wrong.candidates
    assert (only.candidate.value, only.page, only.is_true) == ("Steel hammer | 2 | 10", 1, False)
    assert only.candidate.text == "Steel hammer 2 10.00 20.00"
    assert only.candidate.sources == (ReadBy.BOTH, ReadBy.EXTRACTOR, ReadBy.VERIFIER)
    assert only.shares == "extractor 0.97, verifier 0.97"


def test_a_row_that_the_sums_leave_out_says_so() -> None:
    lines = [*ROWS[:4], "Gift|LINE_DESCRIPTION box|LINE_DESCRIPTION 5.00|LINE_TOTAL", ROWS[4]]
    box = {"description": "Gift box", "quantity": None, "unit_price": 5.0}
    missed = next(error for error in rows_of([HAMMER, SAW, box], lines=lines) if error.verdict is Verdict.MISSED)
    assert missed.causes == (Cause.SUMS,)
    (only,) = missed.candidates
    assert (only.candidate.value, only.is_true) == ("Gift box | - | 5", True)


def test_a_row_that_one_model_alone_reads_has_too_low_a_score() -> None:
    others = [*ROWS[:3], "Long saw 1 30.00 30.00", ROWS[4]]
    (missed,) = (error for error in rows_of([HAMMER, SAW], others=others) if error.verdict is Verdict.MISSED)
    assert (missed.extractor, missed.verifier) == ("Long saw | 1 | 30", None)
    assert missed.causes == (Cause.RANKED_LOWER,)
    assert missed.reason == "The models differ: 2 and 1 rows."
    assert [each.shares for each in missed.candidates] == ["extractor 0.97, verifier 0.00"]


def test_a_row_that_is_given_for_another_true_one_is_no_candidate() -> None:
    first, second = rows_of([HAMMER, HAMMER])[:2]
    assert (first.verdict, second.verdict) == (Verdict.MISSED, Verdict.INVENTED)
    assert (first.candidates, first.causes) == ((), (Cause.NOT_CANDIDATE,))
    assert [each.candidate.value for each in second.candidates] == ["Long saw | 1 | 30"]


def test_rows_are_missed_or_invented_where_nothing_stands_for_them() -> None:
    found = rows_of([HAMMER, {"description": "Zinc bucket", "quantity": 7, "unit_price": 8.0}])
    assert [(error.verdict, error.scored.row, error.causes) for error in found] == [
        (Verdict.MISSED, 1, (Cause.NOT_READ,)),
        (Verdict.INVENTED, 2, (Cause.NOT_PRINTED, Cause.WRONG_AT_HIGH)),
    ]


def test_rows_of_a_file_that_cannot_be_read_are_missed() -> None:
    log = ErrorLog(ReadOptions(), draws=False)
    failure = DocumentError(FailureCode.DOCUMENT_UNREADABLE, "no")
    log.add(case_of({"line_items": [HAMMER]}), Outcome([], failure, None, 0, 0), None)
    assert [(error.verdict, error.causes) for error in log.errors] == [(Verdict.MISSED, (Cause.NO_INVOICE,))]


def test_rows_have_their_place_in_the_page_the_tables_and_the_earlier_run(tmp_path: Path) -> None:
    earlier = {Scored("set_a/one.pdf", 0, "line_items", 1): Earlier(right=True, given="Long saw | 1 | 31", level="mid")}
    log = ErrorLog(ReadOptions(), earlier, draws=False)
    rows_of([HAMMER, {**SAW, "unit_price": 31.0}], log)
    write_errors(tmp_path, log, "one, two")
    page, data = (tmp_path / PAGE).read_text(), json.loads((tmp_path / DATA).read_text())
    assert re.search(r'data-field="line_items"[^>]*data-confusion="unit_price"[^>]*data-change="lost"', page)
    assert "row 2" in page
    assert "<th>extractor</th><td>Long saw | 1 | 30</td>" in page
    assert "<td>Long saw | 1 | 30</td><td>Long saw 1 30.00 30.00</td>" in page
    assert [(one["row"], one["change"]) for one in data["errors"]] == [(2, "lost")]
    (rate,) = data["by_vendor"]
    assert (rate["wrong"], rate["wrong_rows"], rate["scored_rows"]) == (0, 1, 2)


def test_the_places_of_both_values_are_framed_in_one_picture_if_they_are_near() -> None:
    sheet = cv2.imencode(".png", np.full((400, 300, 3), 255, np.uint8))[1].tobytes()
    true, given = Spot(1, (0.1, 0.1, 0.3, 0.13), is_true=True), Spot(1, (0.5, 0.12, 0.7, 0.15), is_true=False)
    (near,) = crops(sheet, [true, given], [1], ReadOptions())
    picture = cv2.imdecode(np.frombuffer(base64.b64decode(near.partition(",")[2]), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape[0] < 100
    blue, green, red = (int(channel.min()) for channel in cv2.split(picture))
    assert max(blue, green, red) < 150
    assert len(crops(sheet, [true, Spot(1, (0.5, 0.8, 0.7, 0.9), is_true=False)], [1], ReadOptions())) == 2
    assert len(crops(sheet, [], [1], ReadOptions())) == 1
    assert crops(b"nothing", [true], [1], ReadOptions()) == ()


def test_a_true_value_that_is_no_candidate_is_found_on_its_line() -> None:
    pages = document_of(PAGE_LINES).pages
    (spot,) = spots_of_lines("amount", 50.0, pages)
    (total,) = spots_of_lines("amount", 60.0, pages)
    assert (spot.page, spot.is_true) == (1, True)
    assert spot.box[1] < total.box[1]
    assert list(spots_of_lines("amount", 71.0, pages)) == list(spots_of_lines("currency", "GBP", pages)) == []
