"""What the audit page shows."""

from dataclasses import dataclass
from datetime import datetime

from serve_app.domain.audit import AuditEntry


@dataclass(frozen=True, slots=True)
class Line:
    """One change, in words."""

    at: datetime
    who: str
    what: str
    target: str
    details: str


def line_of(entry: AuditEntry) -> Line:
    """The entry, with `key.revoked` as "key revoked"."""
    details = ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in entry.details.items())
    what = entry.action.replace(".", " ").replace("_", " ")
    return Line(entry.at, entry.actor.name, what, entry.target, details)
