"""Notes on which day a key was used last."""

from datetime import date
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.services.tasks.batches import Batches
from serve_app.store.base import Keys


class KeyUses:
    """Writes each key's use once a day and process, beside the call."""

    def __init__(self, keys: Keys, clock: Clock = utc_now) -> None:
        self._keys = keys
        self._clock = clock
        self._day = date.min
        self._recorded: set[UUID] = set()
        self._batches = Batches[UUID](self._write, "last use of keys")

    def note(self, key_id: UUID) -> None:
        """The key was used now. Returns at once."""
        day = self._clock().date()
        if day != self._day:
            self._day, self._recorded = day, set()
        if key_id not in self._recorded:
            self._recorded.add(key_id)
            self._batches.add(key_id)

    async def flush(self) -> None:
        """Write what waits now."""
        await self._batches.flush()

    async def _write(self, key_ids: list[UUID]) -> None:
        try:
            await self._keys.note_use(key_ids, self._day)
        except Exception:
            # The next call of each tries again.
            self._recorded.difference_update(key_ids)
            raise
