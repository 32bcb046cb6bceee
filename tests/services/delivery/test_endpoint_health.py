"""An endpoint is slow while an attempt hangs, and is remembered as slow where no answer came in time."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from serve_app.domain.webhook import Attempt, Health
from serve_app.services.delivery.endpoint_health import EndpointHealth
from tests.services.delivery.makers import make_claim, make_endpoint
from tests.support import NOON


class Seconds:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def attempt(seconds: float = 0.1, status: int | None = 200) -> Attempt:
    return Attempt(NOON, seconds, status)


def followed(**changes: object) -> tuple[EndpointHealth, Seconds]:
    seconds = Seconds()
    return EndpointHealth(make_endpoint(**changes), seconds), seconds


def test_an_attempt_under_way_for_over_a_second_is_slow_while_it_lasts() -> None:
    health, seconds = followed()
    claim = make_claim()
    health.began(claim)
    seconds.now = 1.0
    assert not health.is_slow
    seconds.now = 1.1
    assert health.is_slow
    health.ended(claim, attempt(1.2), succeeded=True)
    assert not health.is_slow
    assert health.to_note == Health(is_slow=False, failing_since=None)


@pytest.mark.parametrize(
    ("made", "is_slow"),
    [
        (attempt(0.01), False),
        (attempt(5.0, 500), False),
        (attempt(5.1, 200), True),
        (attempt(10.0, None), True),
        # A shorter limit than that was set.
        (attempt(2.0, None), True),
        # Nobody listens there: that took no time.
        (attempt(0.01, None), False),
    ],
)
@pytest.mark.parametrize("was_slow", [True, False])
def test_its_last_attempt_shows_whether_it_is_remembered_as_slow(made: Attempt, is_slow: bool, was_slow: bool) -> None:
    health, _ = followed(is_slow=was_slow)
    assert health.is_slow == health.was_slow == was_slow
    claim = make_claim()
    health.began(claim)
    health.ended(claim, made, succeeded=False)
    assert health.is_slow == health.was_slow == health.to_note.is_slow == is_slow


def test_it_fails_since_the_first_failure_after_a_success() -> None:
    health, _ = followed()
    later = timedelta(minutes=5)
    outcomes: list[Callable[[], tuple[Attempt, bool]]] = [
        lambda: (attempt(status=500), False),
        lambda: (replace(attempt(status=500), at=NOON + later), False),
        lambda: (attempt(), True),
        lambda: (replace(attempt(status=500), at=NOON + later), False),
    ]
    seen = []
    for outcome in outcomes:
        claim = make_claim()
        health.began(claim)
        made, succeeded = outcome()
        health.ended(claim, made, succeeded=succeeded)
        seen.append(health.failing_since)
    assert seen == [NOON, NOON, None, NOON + later]


def test_a_test_event_may_show_that_it_works_but_not_that_it_fails() -> None:
    health, _ = followed()
    claims = [make_claim() for _ in range(2)]
    for claim in claims:
        health.began(claim)
    health.ended(claims[0], attempt(status=500), succeeded=False, is_test=True)
    assert health.failing_since is None
    failing, _ = followed(failing_since=NOON)
    failing.began(claims[1])
    failing.ended(claims[1], attempt(), succeeded=True, is_test=True)
    assert failing.failing_since is None


def test_a_delivery_may_be_under_way_twice() -> None:
    """It was redelivered while an attempt was under way."""
    health, seconds = followed()
    first = make_claim()
    again = replace(first, claims=2)
    health.began(first)
    seconds.now = 1.5
    health.began(again)
    health.ended(first, attempt(), succeeded=True)
    assert not health.is_slow
    health.ended(again, attempt(), succeeded=True)
    assert not health.is_slow
