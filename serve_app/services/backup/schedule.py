"""When backups are made, and which of them are kept."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from serve_app.services.backup.snapshot import Snapshot

_PERIODS: tuple[Callable[[datetime], object], ...] = (
    lambda at: at.date(),
    lambda at: at.isocalendar()[:2],
    lambda at: (at.year, at.month),
)
"""The day, the week and the month of a moment, in UTC."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Of how many days, weeks and months the last backup is kept."""

    daily: int = 0
    weekly: int = 0
    monthly: int = 0

    def among(self, snapshots: Iterable[Snapshot]) -> set[str]:
        """The ids of those that are kept."""
        newest_first = sorted(snapshots, key=lambda one: (one.made_at, one.id), reverse=True)
        kept: set[str] = set()
        for count, period_of in zip((self.daily, self.weekly, self.monthly), _PERIODS, strict=True):
            last: dict[object, str] = {}
            for one in newest_first:
                last.setdefault(period_of(one.made_at), one.id)
            kept |= set([*last.values()][:count])
        return kept


def next_at(now: datetime, daily: time) -> datetime:
    """The next moment at this time of day, in the time zone of `now`."""
    today = now.replace(hour=daily.hour, minute=daily.minute, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)
