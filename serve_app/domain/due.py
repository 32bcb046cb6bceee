"""How much is due."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Due:
    """How many things are due now, and since when the one is that has waited longest; None if none is."""

    count: int
    since: datetime | None
