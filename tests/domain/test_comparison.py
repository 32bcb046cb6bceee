"""What a candidate reads differently, and who was right."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

from serve_app.domain.batch import Section
from serve_app.domain.comparison import (
    INVOICES,
    Comparison,
    Difference,
    Right,
    Signs,
    changed_fields,
    decided,
    differences_of,
    signs_of,
)
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Confidence, Details, Extraction, Field, LineItem, ReviewStatus
from serve_app.domain.record import completed
from serve_app.domain.review import Decision, Verdict, overlaid
from tests.support import NOON, make_record

LINE = LineItem(description="Work", quantity=Decimal(2), unit_price=Decimal(50), confidence=None)
FIRST = Extraction(
    vendor_name="Acme Ltd",
    amount=Decimal("119.00"),
    tax=Decimal(19),
    issued_at=date(2026, 5, 1),
    line_items=[LINE],
    details=Details(subtotal=Decimal(100)),
)


def changed(**values: object) -> Extraction:
    return FIRST.model_copy(update=values)


def test_equal_values_do_not_differ_however_they_are_written() -> None:
    assert differences_of(FIRST, changed(vendor_name="ACME  Ltd", amount=Decimal(119))) == ()


def test_each_field_that_differs_is_named_with_both_values() -> None:
    found = differences_of(FIRST, changed(issued_at=date(2026, 1, 5), vendor_name=None))
    assert found == (
        Difference("vendor", "Acme Ltd", None),
        Difference("issued_at", "2026-05-01", "2026-01-05"),
    )


def test_sums_show_who_is_right_about_what_is_in_them() -> None:
    (found,) = differences_of(FIRST, changed(amount=Decimal(100)))
    assert found == Difference("amount", "119", "100", Right.FIRST)
    (found,) = differences_of(changed(amount=Decimal(100)), FIRST)
    assert found.right is Right.CANDIDATE
    (found,) = differences_of(changed(amount=Decimal(100)), changed(amount=Decimal(90)))
    assert found.right is None
    vendor, _ = differences_of(FIRST, changed(vendor_name="B", amount=Decimal(100)))
    assert vendor.right is None


def test_long_values_are_cut() -> None:
    (found,) = differences_of(FIRST, changed(vendor_name="x" * 500))
    assert found.candidate == "x" * 199 + "…"


def section(*agreed: str, high: int = 0, proved: bool = False) -> Section:
    levels = dict.fromkeys(list(Field)[:high], Confidence.HIGH)
    read = FIRST if proved else Extraction()
    return Section(1, 1, read.model_copy(update={"field_confidence": levels}), agreed=frozenset(agreed))


def test_signs_show_whether_the_candidate_did_better_on_a_file() -> None:
    one, two = section("amount", high=1), section("amount", "tax", high=1)
    assert signs_of([one], [two]) == Signs(1, 0, 0)
    assert signs_of([two], [one]) == Signs(-1, 0, 0)
    assert signs_of([section(proved=True, high=2)], [section(high=3)]) == Signs(0, 1, -1)
    # Several invoices: what is found on each of them.
    assert signs_of([one], [one, one]) == Signs(0, 0, 0)


COMPARISON = Comparison(
    new_id(),
    new_id(),
    "new",
    NOON,
    differences=(Difference("vendor", "Acme Ltd", "Acme"), Difference("amount", "119", "100", Right.CANDIDATE)),
)


def judged(comparison: Comparison, status: ReviewStatus = ReviewStatus.CONFIRMED, **values: str) -> list[Right | None]:
    """Who was right after a person has said so."""
    record = make_record(new_id())
    decisions = {name: Decision(value=value, by="Ann", at=NOON) for name, value in values.items()}
    verdict = Verdict(status=status, by="Ann", at=NOON)
    read = completed(record.invoice, FIRST, NOON)
    invoice, review = overlaid(read, record.review.changed(decisions, verdict))
    after = decided(comparison, replace(record, invoice=invoice, review=review))
    return [each.right for each in after.differences]


def test_a_person_knows_better_than_sums() -> None:
    assert judged(COMPARISON) == [Right.FIRST, Right.FIRST]
    assert judged(COMPARISON, amount="100") == [Right.FIRST, Right.CANDIDATE]
    assert judged(COMPARISON, amount="90", vendor="ACME") == [Right.CANDIDATE, Right.NEITHER]


def test_only_a_confirmation_decides() -> None:
    assert judged(COMPARISON, ReviewStatus.OPEN, vendor="Acme") == [None, Right.CANDIDATE]
    assert judged(COMPARISON, ReviewStatus.REJECTED) == [None, Right.CANDIDATE]


def test_what_the_candidate_answered_is_right_unless_it_was_corrected() -> None:
    assert judged(replace(COMPARISON, is_answer=True), vendor="Acme GmbH") == [Right.NEITHER, Right.CANDIDATE]


def test_a_person_says_nothing_about_the_number_of_invoices() -> None:
    assert judged(replace(COMPARISON, differences=(Difference(INVOICES, "1", "2"),))) == [None]


def test_changes_are_counted_by_field_with_who_was_right() -> None:
    other = replace(COMPARISON, differences=(Difference("amount", "1", "2", Right.CANDIDATE),))
    found = changed_fields([COMPARISON, other, replace(COMPARISON, differences=())])
    assert list(found) == ["amount", "vendor"]
    assert (found["amount"].times, found["amount"].right) == (2, {Right.CANDIDATE: 2})
    assert (found["vendor"].times, found["vendor"].right) == (1, {})
