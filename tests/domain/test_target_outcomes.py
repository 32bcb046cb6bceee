"""Target precisions are compared on invoices that people have checked."""

import pytest

from serve_app.domain.evidence import FieldEvidence
from serve_app.domain.invoice import VERIFIED_BY, Field
from serve_app.domain.quality import Threshold
from serve_app.domain.target_outcomes import Checked, Outcome, TargetOutcome, outcome_of
from serve_app.domain.target_precision import TargetPrecision
from tests.support import NOON

THRESHOLDS = {"0.99": 0.9, "0.995": 0.95, "0.999": 1.0}


def checked(chance: float, *corrected: Field, weight: float = 1.0, may_be_high: bool = True) -> Checked:
    """An invoice whose fields all have this chance."""
    seen = FieldEvidence(chance=chance, may_be_high=may_be_high, targets=THRESHOLDS)
    return Checked(weight, corrected, dict.fromkeys(VERIFIED_BY, seen))


def each_target(*invoices: Checked, raised: dict[Field, Threshold] | None = None) -> list[TargetOutcome]:
    return [outcome_of(target, invoices, raised or {}) for target in TargetPrecision]


def test_a_stricter_target_covers_less_and_lets_less_through() -> None:
    one, other, none = each_target(checked(0.97), checked(0.92, Field.AMOUNT))
    assert [found.verified for found in (one, other, none)] == [
        Outcome(1.0, 2, 1),
        Outcome(0.5, 1, 0),
        Outcome(0, 0, 0),
    ]
    assert [found.values for found in (one, other, none)] == [Outcome(1.0, 10, 1), Outcome(0.5, 5, 0), Outcome(0, 0, 0)]
    assert one.fields[Field.AMOUNT] == Outcome(1.0, 2, 1)
    assert one.fields[Field.DUE_AT] == Outcome(None, 0, 0)


def test_a_threshold_that_is_never_reached_covers_nothing() -> None:
    assert each_target(checked(1.0))[2].values == Outcome(0.0, 0, 0)


def test_what_may_not_be_high_never_is() -> None:
    assert each_target(checked(0.97, may_be_high=False))[0].values.seen == 0


def test_invoices_count_as_many_as_they_stand_for() -> None:
    found = each_target(checked(0.97, weight=50.0), checked(0.5))[0]
    assert found.verified.share == pytest.approx(50 / 51)
    assert found.verified.seen == 1


def test_thresholds_that_rose_hold_for_every_target() -> None:
    raised = {Field.AMOUNT: Threshold(1, NOON)}
    found = each_target(checked(0.97), raised=raised)[0]
    assert (found.fields[Field.AMOUNT].seen, found.fields[Field.VENDOR].seen, found.verified.seen) == (0, 1, 0)


def test_invoices_that_were_read_without_thresholds_of_a_target_are_left_out() -> None:
    old = Checked(1.0, (), {Field.AMOUNT: FieldEvidence(chance=0.97, may_be_high=True, targets={"0.99": 0.9})})
    older = Checked(1.0, (), {Field.AMOUNT: FieldEvidence(chance=0.97, may_be_high=True)})
    assert [found.invoices for found in each_target(checked(0.97), old, older)] == [2, 1, 1]
