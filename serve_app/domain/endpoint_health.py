"""How endpoints did lately: attempts counted by the hour in which they began and by how long the answer took.

Counting is all that grows with the attempts: what a page asks for is the same small number of counts however many
there were.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil, log

from serve_app.domain.webhook import Attempt

PERIOD = timedelta(hours=24)
COUNTS_LIFE = PERIOD + timedelta(hours=1)
"""How long an hour's counts are needed."""
NO_ANSWER = -1
"""The bucket of attempts without an answer."""
_RATIO = 1.05
_SHORTEST = 0.001
_HIGHEST = 300


@dataclass(frozen=True, slots=True)
class AttemptCount:
    """How many attempts, and how many of them arrived, had an answer within the seconds of a bucket."""

    bucket: int
    attempts: int
    arrived: int


@dataclass(frozen=True, slots=True)
class RecentHealth:
    """The attempts of PERIOD: how many there were and arrived, and the time that half, and 95 %, of the answers took at
    most, in seconds, to 2.5 %."""

    attempts: int
    arrived: int
    median: float | None
    p95: float | None

    @property
    def share(self) -> float | None:
        """The share of attempts that arrived; None without any."""
        return self.arrived / self.attempts if self.attempts else None


def hour_of(moment: datetime) -> datetime:
    """The hour in which a moment is."""
    return moment.replace(minute=0, second=0, microsecond=0)


def counted(attempts: Iterable[Attempt]) -> Mapping[datetime, list[AttemptCount]]:
    """The attempts by the hour in which they began."""
    made: Counter[tuple[datetime, int]] = Counter()
    arrived: Counter[tuple[datetime, int]] = Counter()
    for attempt in attempts:
        place = hour_of(attempt.at), _bucket_of(attempt)
        made[place] += 1
        arrived[place] += attempt.status is not None and 200 <= attempt.status < 300
    hours: dict[datetime, list[AttemptCount]] = {}
    for (hour, bucket), number in made.items():
        hours.setdefault(hour, []).append(AttemptCount(bucket, number, arrived[hour, bucket]))
    return hours


def health_of(counts: Iterable[AttemptCount]) -> RecentHealth:
    """What counts of any hours say together."""
    counts = list(counts)
    answers: Counter[int] = Counter()
    for count in counts:
        if count.bucket != NO_ANSWER:
            answers[count.bucket] += count.attempts
    return RecentHealth(
        sum(count.attempts for count in counts),
        sum(count.arrived for count in counts),
        _quantile(answers, 0.5),
        _quantile(answers, 0.95),
    )


def _bucket_of(attempt: Attempt) -> int:
    if attempt.status is None:
        return NO_ANSWER
    return max(0, min(_HIGHEST, ceil(log(max(attempt.seconds, _SHORTEST) / _SHORTEST, _RATIO))))


def _quantile(answers: Mapping[int, int], share: float) -> float | None:
    """The middle of the bucket in which the quantile is."""
    left = ceil(share * sum(answers.values()))
    for bucket in sorted(answers):
        left -= answers[bucket]
        if left <= 0:
            return float(_SHORTEST * _RATIO ** (bucket - 0.5))
    return None
