"""What a deletion removed, and what it leaves."""

from dataclasses import dataclass, fields
from datetime import timedelta

ERASED_ID_LIFE = timedelta(days=30)
"""How long the ids of what was deleted are known, so that a list can be continued from them."""


@dataclass(frozen=True, slots=True)
class Erased:
    """Counts of what was removed; two can be added."""

    invoices: int = 0
    mails: int = 0
    files: int = 0
    events: int = 0
    deliveries: int = 0
    endpoints: int = 0
    vendors: int = 0
    keys: int = 0
    people: int = 0
    sessions: int = 0
    audit_entries: int = 0
    accounts: int = 0

    def __add__(self, other: "Erased") -> "Erased":
        return Erased(**{field.name: getattr(self, field.name) + getattr(other, field.name) for field in fields(self)})
