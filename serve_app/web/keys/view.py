"""What the screen of API keys shows."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from serve_app.domain.account import ApiKey, Scope

OVERLAPS = {"0": timedelta(0), "24": timedelta(hours=24), "168": timedelta(days=7)}
"""For how many hours a rolled key may still work."""

SCOPES = {Scope.FULL: "Full access", Scope.READ: "Read only"}


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key as the list shows it. `ends_at` is set while the key still works after it was rolled."""

    key: ApiKey
    works: bool
    ends_at: datetime | None
    may_roll: bool


def rows_of(keys: list[ApiKey], now: datetime) -> list[KeyRow]:
    """Those that work first, then the revoked ones; each newest first."""
    rows = [_row(key, now) for key in keys]
    return sorted(rows, key=lambda row: not row.works)


def _row(key: ApiKey, now: datetime) -> KeyRow:
    works = key.works_at(now)
    return KeyRow(key, works, key.revoked_at if works else None, works and key.revoked_at is None)


def last_use_in_words(key: ApiKey, today: date) -> str:
    """How recently somebody would notice that the key is gone."""
    if key.last_used_on is None:
        return "The key has not been used yet."
    match (today - key.last_used_on).days:
        case 0:
            return "The key was used today. Programs that use it will fail immediately."
        case 1:
            return "The key was last used yesterday."
        case days:
            return f"The key was last used {days} days ago."
