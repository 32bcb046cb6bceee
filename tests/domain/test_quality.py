"""What levels are worth, measured on what people decided."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from serve_app.domain.invoice import Confidence, Field
from serve_app.domain.quality import ALARM, STEPS, Seen, Threshold, Wealth, evidence_against, precision, raised
from serve_app.domain.target_precision import TargetPrecision
from tests.support import NOON

HIGH = Confidence.HIGH


def values(right: int, wrong: int, weight: float = 1.0, field: Field = Field.AMOUNT) -> list[Seen]:
    each = [*[True] * right, *[False] * wrong]
    return [Seen(field, HIGH, is_right, weight, NOON + timedelta(seconds=at)) for at, is_right in enumerate(each)]


def test_values_count_as_many_as_they_stand_for() -> None:
    # Of 50 that were seen for certain all are right; of 2 that stand for 50 each, one is wrong.
    found = precision([*values(50, 0), *values(1, 1, weight=50.0)])
    assert (found.values, found.right, found.stands_for) == (52, 51, 150.0)
    assert found.share == pytest.approx(100 / 150)
    # Two such values know little.
    assert found.high - found.low > 0.5


def test_an_interval_narrows_with_the_values_and_has_the_share_in_it() -> None:
    few, many = precision(values(19, 1)), precision(values(1900, 100))
    for found in (few, many):
        assert found.share == pytest.approx(0.95)
        assert found.low < 0.95 < found.high
    assert many.high - many.low < (few.high - few.low) / 5
    assert precision(values(95, 5)).low == pytest.approx(0.8882, abs=1e-4)
    assert precision([]).share is None


def alarms(wrong: float, number: int, runs: int = 200) -> int:
    return sum(_alarms(Random(seed), wrong, number) for seed in range(runs))  # noqa: S311 - no secret


def _alarms(rng: Random, wrong: float, number: int) -> bool:
    wealth = Wealth(50.0)
    for weight in _weights(rng, number):
        wealth.add(is_right=rng.random() >= wrong, weight=weight)
    return wealth.highest >= ALARM


def _weights(rng: Random, number: int) -> Iterator[float]:
    """Now and then one of the audit sample among those that need a person."""
    return (50.0 if rng.random() < 0.06 else 1.0 for _ in range(number))


def test_looking_again_and_again_makes_no_false_alarms() -> None:
    assert alarms(wrong=0.02, number=2000) <= 0.05 * 200 + 5


def test_too_many_wrong_values_are_noticed() -> None:
    assert alarms(wrong=0.15, number=1000) >= 195


def test_a_threshold_rises_a_step_and_starts_again() -> None:
    broken = values(80, 20)
    first = raised(Field.AMOUNT, None, broken, NOON + timedelta(hours=1))
    assert first == Threshold(1, NOON + timedelta(hours=1))
    assert first.chance == STEPS[0]
    assert raised(Field.AMOUNT, first, broken, NOON + timedelta(hours=2)) == first
    assert raised(Field.TAX, None, broken, NOON) is None
    assert raised(Field.AMOUNT, None, values(500, 0), NOON) is None
    last = Threshold(len(STEPS), NOON - timedelta(hours=1))
    assert last.chance > 1
    assert raised(Field.AMOUNT, last, broken, NOON) == last


def test_values_are_held_against_the_promise_of_their_own_target() -> None:
    """1.5 % wrong keeps the promise of 0.99, and breaks that of 0.999 for the same values."""
    audited = Seen(Field.AMOUNT, HIGH, is_right=True, weight=50.0, at=NOON)
    others = [Seen(Field.AMOUNT, HIGH, at % 67 != 0, 1.0, NOON + timedelta(seconds=at)) for at in range(1, 1000)]
    usual = [audited, *others]
    strict = [replace(each, target=TargetPrecision.HIGHEST) for each in usual]
    assert evidence_against(usual) < ALARM < evidence_against(strict)
    assert evidence_against([]) == 1.0
