"""Safe retries of a request: what is kept for an `Idempotency-Key`."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self
from uuid import UUID, uuid5

REPLAY_WINDOW = timedelta(hours=24)
"""How long an answer is replayed, counted from the first request."""
IN_FLIGHT = timedelta(seconds=120)
"""How long a request without an answer holds its key; then its sender is assumed dead, and a retry takes over."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer that can be given again: the HTTP status and the JSON body."""

    status: int
    body: str


@dataclass(frozen=True, slots=True)
class IdempotencyRecord:
    """What an account's key stands for.

    `invoice_id` was reserved by the first request and stays the same for every holder: an invoice with this id
    is the one that was created. A change of an invoice has the id of that invoice, and the `fingerprint` of what was
    asked for. `holder` is the request that works on it now; `answer` is None until there is one.
    """

    account_id: UUID
    key: str
    invoice_id: UUID
    holder: UUID
    created_at: datetime
    held_since: datetime
    answer: StoredAnswer | None = None
    fingerprint: str | None = None

    @property
    def change_id(self) -> UUID:
        """The id of the change that is made with the key: the same for every holder."""
        return uuid5(self.account_id, f"{self.created_at.isoformat()} {self.key}")

    def taken_over_by(self, requested: Self) -> Self | None:
        """The record after the request of `requested` has taken the key over; None if this one still holds it. The hold
        ends if the replay window is over, or if there has been no answer for `IN_FLIGHT`. A hold that begins later than
        that from now is over, too: the clock was set back, and nobody may wait until it has caught up. A request for
        something else does not take over: a retry must still find out whether the first one was done."""
        now = requested.held_since
        if self.created_at <= now - REPLAY_WINDOW:
            return requested
        if self.fingerprint != requested.fingerprint:
            return None
        if self.answer is None and not now - IN_FLIGHT < self.held_since <= now + IN_FLIGHT:
            return replace(self, holder=requested.holder, held_since=now)
        return None
