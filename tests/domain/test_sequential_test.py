"""When the evidence against a candidate suffices, and that chance alone rarely does."""

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from serve_app.domain.canary import Arm, CanaryRun
from serve_app.domain.comparison import Signs
from serve_app.domain.ids import new_id
from serve_app.domain.sequential_test import ALARM, ENOUGH, Measure, against_signs, evidence_for, evidence_of
from tests.support import NOON

SAME = Signs(0, 0, 0)
RUN = CanaryRun(new_id(), new_id(), new_id(), NOON, Arm.CANDIDATE, failed=False, seconds=1.0)
CONTROL = replace(RUN, arm=Arm.CONTROL)


def pairs(number: int, candidate: CanaryRun, control: CanaryRun = CONTROL) -> list[CanaryRun]:
    arms = replace(candidate, arm=Arm.CANDIDATE), replace(control, arm=Arm.CONTROL)
    return [run for _ in range(number) for run in arms]


def test_nine_worse_documents_in_a_row_stop_a_candidate() -> None:
    assert evidence_of([Signs(-1, 0, 0)] * 8, []).worse is None
    assert evidence_of([Signs(-1, 0, 0)] * 9, []).worse is Measure.AGREEMENT
    assert evidence_of([Signs(1, 1, 1)] * 100, []).worse is None


@pytest.mark.parametrize(
    ("measure", "worse"),
    [
        (Measure.FAILURES, replace(RUN, failed=True)),
        (Measure.LATENCY, replace(RUN, seconds=1.6)),
        (Measure.CORRECTIONS, replace(RUN, decided_at=NOON, corrected=True)),
    ],
)
def test_answers_are_compared_with_those_of_the_first_pair(measure: Measure, worse: CanaryRun) -> None:
    control = replace(CONTROL, decided_at=NOON)
    assert evidence_of([], pairs(9, worse, control)).worse is measure
    assert evidence_of([], pairs(200, control, worse)).worse is None
    assert evidence_of([], pairs(200, worse, worse)).worse is None


def test_without_a_control_nothing_is_said() -> None:
    found = evidence_of([], [replace(RUN, failed=True)] * 50)
    assert (found.worse, found.answered) == (None, 50)
    assert evidence_of([], pairs(5, RUN)).answered == 5


def test_corrections_are_compared_in_the_order_of_decisions() -> None:
    late = [replace(RUN, decided_at=NOON + timedelta(days=1), corrected=True)] * 9
    assert evidence_of([], [*late, *[CONTROL] * 9]).against[Measure.CORRECTIONS] == 1.0


def test_what_was_once_evidence_stays_evidence() -> None:
    found = evidence_of([Signs(-1, 0, 0)] * 9 + [Signs(1, 0, 0)] * 100, [])
    assert found.worse is Measure.AGREEMENT


def test_a_step_needs_evidence_that_little_gets_worse() -> None:
    assert not evidence_of([SAME] * 80, []).suffices
    assert evidence_of([SAME] * 90, []).suffices
    # Better in two respects does not make up for the third.
    assert not evidence_of([Signs(1, 1, -1), Signs(1, 1, 1)] * 60, []).suffices
    assert not evidence_of([SAME] * 90, pairs(9, replace(RUN, failed=True))).suffices


def test_equal_candidates_are_rarely_stopped_however_often_one_looks() -> None:
    """Of 400 that are as often better as worse, one test alone may stop 1 in 120."""
    rng = Random(7)  # noqa: S311 - no secret
    stopped = sum(against_signs(rng.choice((-1, 1)) for _ in range(300)) >= ALARM for _ in range(400))
    assert stopped <= 8


def test_candidates_at_the_margin_rarely_pass() -> None:
    rng = Random(7)  # noqa: S311 - no secret
    passed = sum(evidence_for(rng.choices((-1, 0, 1), (0.1, 0.85, 0.05), k=300)) >= ENOUGH for _ in range(400))
    assert passed <= 0.05 * 400
