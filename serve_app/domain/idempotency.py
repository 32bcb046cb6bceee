"""Repeating a request safely: what is kept for an `Idempotency-Key`."""

from dataclasses import dataclass
from datetime import datetime, timedelta
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
