"""Tidying up after crashes, and removing what has expired."""

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.reservation import Reservation
from serve_app.store.base import Files, Intake, Store

_BATCH = 100

log = logging.getLogger(__name__)


class Housekeeping:
    """One round a call. Any number of processes may do it at the same time.

    `reservation_seconds` is how long taking in a document may last; a reservation that is older was left by a crash.
    """

    def __init__(self, store: Store, files: Files, reservation_seconds: float, clock: Clock = utc_now) -> None:
        self._store = store
        self._files = files
        self._patience = timedelta(seconds=reservation_seconds)
        self._clock = clock

    async def __call__(self) -> None:
        """One round. Its parts do not depend on each other; trouble is logged and left to the next round."""
        await _outlive("reservations", self._end_stale)
        await _outlive("expired rows", self._expire)
        await _outlive("left-over files", self._tidy_files)

    async def _end_stale(self) -> None:
        before = self._clock() - self._patience
        done: list[Reservation] = []
        # Where nothing changes any more, what is left is in trouble, and waits for the next round.
        while (stale := await self._store.intake.stale(before, _BATCH)) != done:
            ended, files = await self._end_all(stale)
            if ended:
                log.warning("stale reservations ended", extra={"reservations": ended, "files_removed": files})
            done = stale

    async def _end_all(self, reservations: list[Reservation]) -> tuple[int, int]:
        """How many were ended, and how many files removed; one that is in trouble does not keep the others."""
        ended = files = 0
        for reservation in reservations:
            try:
                files += await end_reservation(reservation, self._store.intake, self._files)
                ended += 1
            except Exception as error:
                log.error("reservation kept: %r", error, extra={"invoice_id": str(reservation.invoice_id)})
        return ended, files

    async def _expire(self) -> None:
        removed = await self._store.upkeep.expire(self._clock())
        log.debug("expired rows removed", extra={"rows": removed})

    async def _tidy_files(self) -> None:
        removed = await self._files.tidy()
        if removed:
            log.warning("left-overs of unfinished files removed", extra={"files_removed": removed})


async def end_reservation(reservation: Reservation, intake: Intake, files: Files) -> bool:
    """Delete the reserved file unless an invoice has it, then end the reservation; True where the file was deleted."""
    is_orphaned = await intake.give_up(reservation)
    if is_orphaned:
        await files.delete(reservation.file_key)
    # Last, so that a crash leaves the note and not the file.
    await intake.cancel(reservation)
    return is_orphaned


async def _outlive(what: str, work: Callable[[], Awaitable[None]]) -> None:
    try:
        await work()
    except Exception as error:
        log.error("housekeeping of %s failed: %r", what, error, exc_info=error)
