"""Decisions, verdicts and steps."""

from typing import Any

import pytest

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import CheckKind, ReviewStatus
from serve_app.domain.review import (
    MAX_STEPS,
    NO_REVIEW,
    Changes,
    ConfirmedCheck,
    Decision,
    Review,
    Verdict,
    overlaid,
)
from serve_app.domain.review_fields import normal, same
from serve_app.domain.review_tables import normal_rows
from tests.support import NOON, make_invoice
from tests.support.suppliers import alert


def saying(**values: Any) -> Changes:
    return {name: Decision(value=value, by="Ann", at=NOON) for name, value in values.items()}


def values_of(review: Review) -> dict[str, Any]:
    return {name: decision.value for name, decision in review.decisions.items()}


def test_steps_are_undone_and_redone_in_their_order() -> None:
    review = NO_REVIEW.changed(saying(amount="1")).changed(saying(amount="2", tax="3"))
    assert values_of(review) == {"amount": "2", "tax": "3"}
    once = review.undone()
    assert (values_of(once), once.undoable, once.redoable) == ({"amount": "1"}, 1, 1)
    assert values_of(once.undone()) == {}
    assert values_of(once.undone().redone().redone()) == values_of(review)
    assert once.undone().undone() == once.undone()
    assert review.redone() is review


def test_every_step_is_a_new_revision_whichever_way_it_goes() -> None:
    review = NO_REVIEW.changed(saying(amount="1"))
    assert [review.revision, review.undone().revision, review.undone().redone().revision] == [1, 2, 3]


def test_a_change_after_an_undone_one_forgets_that() -> None:
    review = NO_REVIEW.changed(saying(amount="1")).undone().changed(saying(tax="2"))
    assert (review.undoable, review.redoable) == (1, 0)


def test_a_verdict_is_undone_with_its_step() -> None:
    confirmed = NO_REVIEW.changed(saying(amount="1"), Verdict(status=ReviewStatus.CONFIRMED, by="Ann", at=NOON))
    assert confirmed.verdict.status is ReviewStatus.CONFIRMED
    assert confirmed.undone().verdict == Verdict()


def test_only_so_many_steps_are_kept() -> None:
    review = NO_REVIEW
    for number in range(MAX_STEPS + 5):
        review = review.changed(saying(amount=str(number)))
    assert review.undoable == MAX_STEPS
    rows = [{"description": "x" * 500, "quantity": None, "unit_price": None, "total": None, "tax_rate": None}] * 400
    for number in range(10):
        review = review.changed(saying(line_items=[*rows, {**rows[0], "total": str(number)}]))
    assert 1 <= review.undoable < 5
    assert len(review.model_dump_json()) < 3_000_000


@pytest.mark.parametrize(
    ("name", "value", "stored"),
    [
        ("amount", "1234.50", "1234.50"),
        ("amount", 7, "7"),
        ("amount", -0.5, "-0.5"),
        ("vendor", "  Acme \n Ltd ", "Acme Ltd"),
        ("currency", "eur", "EUR"),
        ("issued_at", "2026-05-01", "2026-05-01"),
        ("iban", "de89 3704 0044", "DE8937040044"),
        ("due_at", None, None),
    ],
)
def test_a_value_is_kept_in_one_form(name: str, value: Any, stored: Any) -> None:
    assert normal(name, value) == stored


@pytest.mark.parametrize("value", ["1e5", "1,5", "", "١", "1.1234567", "9" * 16, True, [1], {"a": 1}])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(InvalidParameter):
        normal("amount", value)


def test_a_row_is_named_where_it_is_wrong() -> None:
    with pytest.raises(InvalidParameter, match="row 2: quantity"):
        normal_rows("line_items", [{"description": "Bolt"}, {"quantity": "two"}])


def test_amounts_are_the_same_however_they_are_written_and_numbers_of_invoices_are_not() -> None:
    assert same("amount", "100", "100.00")
    assert not same("invoice_number", "7", "007")
    assert not same("amount", None, "0")
    assert same("tax_lines", [{"rate": "19", "base": None, "amount": "3.8"}], [{"rate": "19.00", "amount": "3.80"}])


def test_a_confirmed_check_is_undone_with_its_step_and_holds_for_its_text_alone() -> None:
    said = ConfirmedCheck(text=alert().text, by="clerk", at=NOON)
    review = NO_REVIEW.changed({}, checks={CheckKind.BANK_ACCOUNT_CHANGED: said})
    read = make_invoice().model_copy(update={"checks": [alert(), alert(CheckKind.NUMBER_REUSED)]})

    invoice, _ = overlaid(read, review)
    assert [check.confirmed_by for check in invoice.checks] == ["clerk", None]
    assert not overlaid(invoice, review.undone())[0].checks[0].confirmed_by
    assert review.undone().redone().checks == review.checks
    assert review.changed({}, checks={CheckKind.BANK_ACCOUNT_CHANGED: said}) is review
    other = alert().model_copy(update={"text": "Another account is new."})
    assert overlaid(read.model_copy(update={"checks": [other]}), review)[0].checks == [other]
