"""How long the queue is."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class QueueState:
    """Invoices of all accounts that wait or are being read now; `oldest` is when the oldest waiting one came in."""

    waiting: int
    running: int
    oldest: datetime | None


class Stage(StrEnum):
    """How far a run is."""

    READING = "reading"
    """Its pages are read."""
    MODELS = "models"
    """The two models look for the values."""
