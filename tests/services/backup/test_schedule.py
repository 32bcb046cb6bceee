"""When backups are made, and which of them are kept."""

from datetime import UTC, datetime, timedelta

import pytest

from serve_app.services.backup.schedule import Kept, Schedule
from serve_app.services.backup.snapshot import Snapshot

LAST = datetime(2026, 5, 31, 2, 30, tzinfo=UTC)


def made(days_before: float) -> Snapshot:
    at = LAST - timedelta(days=days_before)
    return Snapshot(
        id=f"{at:%m-%d %H}", made_at=at, expires_at=None, kind="sqlite", schema=1, database=[], listing=[], files=0
    )


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        (Kept(daily=2), ["05-30 02", "05-31 02"]),
        (Kept(weekly=2), ["05-24 02", "05-31 02"]),
        (Kept(monthly=3), ["03-31 02", "04-30 02", "05-31 02"]),
        (Kept(daily=1, weekly=2, monthly=2), ["04-30 02", "05-24 02", "05-31 02"]),
    ],
)
def test_the_last_of_each_period_is_kept(rules: Kept, kept: list[str]) -> None:
    snapshots = [made(days) for days in range(80)] + [made(0.05)]
    assert sorted(rules.among(snapshots)) == kept


@pytest.mark.parametrize(
    ("text", "moments"),
    [
        ("02:30", ["2026-06-01 02:30", "2026-06-02 02:30"]),
        ("02:31", ["2026-05-31 02:31", "2026-06-01 02:31"]),
        ("sun 02:30", ["2026-06-07 02:30", "2026-06-14 02:30"]),
        ("SUN 04:30", ["2026-05-31 04:30", "2026-06-07 04:30"]),
        ("mon 00:00", ["2026-06-01 00:00", "2026-06-08 00:00"]),
    ],
)
def test_the_next_moments_of_a_schedule(text: str, moments: list[str]) -> None:
    """`LAST` is a Sunday."""
    first = Schedule.parse(text).after(LAST)
    assert [f"{at:%Y-%m-%d %H:%M}" for at in (first, Schedule.parse(text).after(first))] == moments


@pytest.mark.parametrize("text", ["", "noon", "25:00", "sunday 04:30", "sun"])
def test_other_texts_are_no_schedule(text: str) -> None:
    with pytest.raises(ValueError, match=r"isoformat|hour must|tuple\.index"):
        Schedule.parse(text)
