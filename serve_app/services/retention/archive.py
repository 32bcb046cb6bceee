"""Moves old events and their deliveries from the store to files."""

import json
import logging
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from itertools import takewhile
from uuid import UUID

from serve_app.domain.archive import ARCHIVE, DeliveredEvent, archive_folder_of, archive_key_of, archived_event
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.erased import Erased
from serve_app.services.retention.archive_lines import lines_in, packed
from serve_app.services.tasks.for_each import for_each
from serve_app.store.base import Files, Store

_BATCH = 100

log = logging.getLogger(__name__)


class EventArchive:
    """A file for each event, in a folder of its invoice. The file is written and read back before the rows go. A round
    that was cut off can be repeated, and any number of processes may do it at the same time: the name of a file depends
    on its event alone, and so does what is in it."""

    def __init__(self, store: Store, files: Files, clock: Clock = utc_now) -> None:
        self._store = store
        self._files = files
        self._clock = clock

    async def move(self, account_id: UUID, before: datetime) -> Erased:
        """Archive the account's events of before `before`, and return how many rows went. An event stays while a
        delivery of it is pending, or if one changes meanwhile."""
        moved, after = Erased(), None
        while oldest := await self._store.retention.oldest_events(account_id, _BATCH, after):
            old = list(takewhile(lambda delivered: delivered.event.created_at < before, oldest))
            moved += await self._move_all(account_id, [delivered for delivered in old if delivered.is_settled])
            if len(old) < len(oldest):
                break
            after = old[-1].event.id
        if moved.events:
            log.info("old events archived", extra={"account_id": str(account_id), "events": moved.events})
        return moved

    async def _move_all(self, account_id: UUID, settled: Sequence[DeliveredEvent]) -> Erased:
        written: list[DeliveredEvent] = []

        async def write(delivered: DeliveredEvent) -> None:
            if await self._is_written(delivered):
                written.append(delivered)

        await for_each(_one_by_one(settled), write)
        if not written:
            return Erased()
        return await self._store.retention.remove_archived(account_id, written, self._clock())

    async def _is_written(self, delivered: DeliveredEvent) -> bool:
        """Write the event's file; False if its invoice is gone, which takes its events with it."""
        account_id = delivered.event.account_id
        invoice_id = UUID(json.loads(delivered.event.payload)["data"]["invoice"]["id"])
        key = archive_key_of(account_id, invoice_id, delivered.event)
        data = packed(delivered, await self._present(key))
        await self._files.write(key, data)
        if await self._files.read(key) != data:
            log.error("archive not read as it was written: %s", key)
            return False
        # Last: whoever removes the invoice lists the folder after the row is gone, so one of the two finds the file.
        if await self._store.invoices.find_record(account_id, invoice_id) is None:
            await self._files.delete(key)
            return False
        return True

    async def _present(self, key: str) -> bytes | None:
        try:
            return await self._files.read(key)
        except FileNotFoundError:
            return None


async def _one_by_one(settled: Sequence[DeliveredEvent]) -> AsyncIterator[DeliveredEvent]:
    for delivered in settled:
        yield delivered


async def archived_lines(files: Files, account_id: UUID, invoice_id: UUID | None = None) -> AsyncIterator[str]:
    """The lines of an account's archive, or of one of its invoices, the oldest event first."""
    folder = f"{ARCHIVE}/{account_id}" if invoice_id is None else archive_folder_of(account_id, invoice_id)
    for key in sorted(await files.keys_in(folder), key=lambda key: archived_event(key)[1]):
        try:
            for line in lines_in(await files.read(key)):
                yield line
        except FileNotFoundError:
            # It went with its invoice.
            continue
