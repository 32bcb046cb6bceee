"""How much work gets done in a second, by a clock that the test moves."""

import pytest

from serve_app.domain.load import Load, PageKind
from serve_app.domain.pace import Stage
from serve_app.services.capacity.costs import StageCosts
from serve_app.services.capacity.speed import Speed


def work(speed: Speed, start: float, seconds: int, per_second: float) -> None:
    for second in range(seconds):
        speed.ended(per_second, start + second)
        speed.look(is_waiting=True, now=start + second + 1)


def test_it_is_measured_while_something_waits() -> None:
    speed = Speed()
    speed.look(is_waiting=True, now=0)
    assert speed.value is None
    work(speed, 10, 4, 3.0)
    assert speed.value is None
    work(speed, 14, 60, 3.0)
    assert speed.value == pytest.approx(3.0, rel=0.05)


def test_what_ends_while_nothing_waits_says_nothing() -> None:
    speed = Speed()
    speed.look(is_waiting=True, now=0)
    work(speed, 0, 60, 3.0)
    speed.look(is_waiting=False, now=60)
    for second in range(100, 200):
        speed.ended(0.1, second)
        speed.look(is_waiting=False, now=second)
    assert speed.value == pytest.approx(3.0, rel=0.05)


def test_a_new_speed_replaces_the_old_one_within_minutes() -> None:
    speed = Speed()
    speed.look(is_waiting=True, now=0)
    work(speed, 0, 300, 1.0)
    work(speed, 300, 120, 4.0)
    assert speed.value == pytest.approx(4.0, rel=0.1)


def test_costs_are_means_by_stage_and_kind() -> None:
    costs = StageCosts()
    before = costs.means
    for _ in range(200):
        costs.note(Stage.READ, Load(PageKind.SCAN, 4), 8.0)
    costs.note(Stage.READ, Load(PageKind.PHOTO, 1), 0.0)
    assert costs.means[Stage.READ, PageKind.SCAN] == pytest.approx(2.0, rel=0.01)
    assert {key: value for key, value in costs.means.items() if key != (Stage.READ, PageKind.SCAN)} == {
        key: value for key, value in before.items() if key != (Stage.READ, PageKind.SCAN)
    }
    rest = sum(before[stage, PageKind.SCAN] for stage in Stage if stage is not Stage.READ)
    assert costs.work_of(Load(PageKind.SCAN, 3)) == pytest.approx(3 * (2.0 + rest), rel=0.01)
