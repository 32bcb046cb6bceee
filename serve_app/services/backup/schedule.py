"""When backups are made, and which of them are kept."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Self

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


_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True, slots=True)
class Schedule:
    """A time of day, on each day or on one of the week (0 is Monday)."""

    at: time
    weekday: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """`02:30` or `sun 04:30`. Raises ValueError."""
        day, _, at = text.strip().rpartition(" ")
        return cls(time.fromisoformat(at), _WEEKDAYS.index(day.lower()) if day else None)

    def after(self, now: datetime) -> datetime:
        """The next moment, in the time zone of `now`."""
        today = now.replace(hour=self.at.hour, minute=self.at.minute, second=0, microsecond=0)
        days = 0 if self.weekday is None else (self.weekday - today.weekday()) % len(_WEEKDAYS)
        found = today + timedelta(days=days)
        return found if found > now else found + timedelta(days=1 if self.weekday is None else len(_WEEKDAYS))
