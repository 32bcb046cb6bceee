"""Repeating a request safely: what is kept for an `Idempotency-Key`."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self
from uuid import UUID

REPLAY_WINDOW = timedelta(hours=24)
"""How long an answer is replayed, from the first request on."""
IN_FLIGHT = timedelta(seconds=120)
"""How long a request without an answer holds its key; then its sender is taken for dead, and a repetition goes on."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer that can be given again: the HTTP status and the JSON body."""

    status: int
    body: str


@dataclass(frozen=True, slots=True)
class IdempotencyRecord:
    """What an account's key stands for.

    `invoice_id` was reserved by the first request and stays, whoever holds the key: an invoice with this id is the
    one that was made. `holder` is the request that works on it at present; `answer` is None until there is one.
    """

    account_id: UUID
    key: str
    invoice_id: UUID
    holder: UUID
    created_at: datetime
    held_since: datetime
    answer: StoredAnswer | None = None

    def taken_over_by(self, wanted: Self) -> Self | None:
        """The record once the request of `wanted` holds the key, where this one does not hold it any more: its window
        is over, or its sender has been silent for too long."""
        now = wanted.held_since
        if self.created_at <= now - REPLAY_WINDOW:
            return wanted
        if self.answer is None and self.held_since <= now - IN_FLIGHT:
            return replace(self, holder=wanted.holder, held_since=now)
        return None
