"""Time: always aware, always UTC."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The present moment."""
    return datetime.now(UTC)


def month_start(moment: datetime) -> datetime:
    """Midnight UTC of the first day of the moment's month: the start of its quota period."""
    return moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
