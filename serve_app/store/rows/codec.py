"""Times as the stores keep them: whole microseconds since 1970 (UTC), so that nothing is rounded."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Whole microseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """The moment, in UTC."""
    return _EPOCH + micros * _MICROSECOND


def optional_micros(moment: datetime | None) -> int | None:
    """The same, or None for None."""
    return None if moment is None else to_micros(moment)


def optional_moment(micros: int | None) -> datetime | None:
    """The same, or None for None."""
    return None if micros is None else from_micros(micros)


def span_micros(span: timedelta) -> int:
    """A duration in whole microseconds."""
    return span // _MICROSECOND
