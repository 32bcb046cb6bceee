"""How long the queue is."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class QueueState:
    """Invoices of all accounts that wait or are being read now; `oldest` is when the oldest waiting one came in."""

    waiting: int
    running: int
    oldest: datetime | None
