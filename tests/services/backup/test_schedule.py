"""Which backups are kept."""

from datetime import UTC, datetime, timedelta

import pytest

from serve_app.services.backup.schedule import Kept
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
