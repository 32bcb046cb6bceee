"""Holds on idempotency keys: whoever holds a key is the only one that works on its request."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from serve_app.domain.errors import OutcomeUnknown, RequestInFlight, ServiceError
from serve_app.domain.idempotency import IdempotencyRecord, StoredAnswer
from serve_app.services.tasks.background import Background
from serve_app.store.base import Idempotency

log = logging.getLogger(__name__)


class KeyHolds:
    """Takes holds, and ends each with an answer or without."""

    def __init__(self, idempotency: Idempotency) -> None:
        self._idempotency = idempotency
        self._background = Background()

    async def take(self, requested: IdempotencyRecord) -> IdempotencyRecord:
        """What the key stands for: the hold of this request, or a record with the answer to an earlier one. Raises
        RequestInFlight while an earlier request has no answer."""
        try:
            held = await self._idempotency.hold(requested)
        except ServiceError:
            # Perhaps only the answer was lost: until the hold has ended, every retry would be told to wait.
            self._background.start(self.release(requested))
            raise
        if held.holder != requested.holder and held.answer is None and held.fingerprint == requested.fingerprint:
            raise RequestInFlight
        return held

    async def keep_answer(self, hold: IdempotencyRecord, answer: StoredAnswer) -> None:
        """Store the answer for replays. If that fails, a retry finds what was done once the hold has expired."""
        try:
            await self._idempotency.answer(hold, answer)
        except ServiceError as error:
            log.warning("answer not stored for its idempotency key: %s", error)

    @asynccontextmanager
    async def released_after_errors(self, hold: IdempotencyRecord) -> AsyncIterator[None]:
        """Release the hold if the block raises, unless nobody knows what came of it: once the hold has expired, a retry
        finds out."""
        try:
            yield
        except OutcomeUnknown:
            raise
        except Exception:
            await self.release(hold)
            raise

    async def release(self, hold: IdempotencyRecord) -> None:
        """An error is not kept as an answer: the request may be retried."""
        with suppress(ServiceError):
            await self._idempotency.release(hold)
