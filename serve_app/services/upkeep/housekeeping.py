"""Cleans up after crashes, and removes what has expired."""

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from serve_app.domain.archive import archive_folder_of
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.record import PAGES, evidence_folder_of, ids_of_pages, pages_key_of, pictures_key_of
from serve_app.domain.reservation import Reservation
from serve_app.services.upkeep.ownership import FileOwnership
from serve_app.store.base import Files, Intake, Store

_BATCH = 100

log = logging.getLogger(__name__)


class Housekeeping:
    """Any number of processes may run rounds at the same time. While another deployment has the file store, nothing but
    rows is removed.

    `reservation_seconds` is how long accepting a document may take; an older reservation was left by a crash.
    `finish_cuts` carries out what crashes left of cutting files, `finish_deletions` the deletions that they left,
    `remove_old` what is older than it is to be kept; `compare_orders` compares invoices with orders that have changed.
    """

    def __init__(
        self,
        store: Store,
        files: Files,
        reservation_seconds: float,
        clock: Clock = utc_now,
        finish_cuts: Callable[[], Awaitable[None]] | None = None,
        finish_deletions: Callable[[], Awaitable[None]] | None = None,
        remove_old: Callable[[], Awaitable[None]] | None = None,
        compare_orders: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._ownership = FileOwnership(store.deployment, files, clock)
        self._store = store
        self._files = files
        self._abandoned_after = timedelta(seconds=reservation_seconds)
        self._clock = clock
        self._finish_cuts = finish_cuts
        self._finish_deletions = finish_deletions
        self._remove_old = remove_old
        self._compare_orders = compare_orders

    async def run_round(self) -> None:
        """Clean up once. The parts are independent; errors are logged, and the next round tries again."""
        await _outlive("expired rows", self._expire)
        if self._compare_orders is not None:
            await _outlive("invoices of changed orders", self._compare_orders)
        if not await self._owns_files():
            return
        if self._finish_cuts is not None:
            # Before the reservations: that of a file which is being cut anew is still needed.
            await _outlive("interrupted cuts", self._finish_cuts)
        if self._finish_deletions is not None:
            await _outlive("planned deletions", self._finish_deletions)
        if self._remove_old is not None:
            await _outlive("what is old", self._remove_old)
        await _outlive("reservations", self._end_stale)
        await _outlive("left-over files", self._tidy_files)
        await _outlive("words of pages", self._remove_pages)

    async def _owns_files(self) -> bool:
        """Whether the file store is this deployment's; what another deployment has there is never deleted."""
        try:
            await self._ownership.claim()
        except Exception as error:
            log.error("housekeeping of files is left out: %s", error)
            return False
        return True

    async def _end_stale(self) -> None:
        before = self._clock() - self._abandoned_after
        done: list[Reservation] = []
        # If nothing changes any more, the remaining ones cannot be ended now and wait for the next round.
        while (stale := await self._store.intake.stale(before, _BATCH)) != done:
            ended, files = await self._end_all(stale)
            if ended:
                log.warning("stale reservations ended", extra={"reservations": ended, "files_removed": files})
            done = stale

    async def _end_all(self, reservations: list[Reservation]) -> tuple[int, int]:
        """How many were ended, and how many files removed; a failure of one does not stop the others."""
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

    async def _remove_pages(self) -> None:
        """What runs kept and could not remove, because they died or the files were out of reach."""
        for key in await self._files.keys_in(PAGES):
            invoice = await self._store.invoices.get(*ids_of_pages(key))
            if invoice is None or invoice.is_finished:
                await self._files.delete(key)
                log.warning("words of an ended run removed", extra={"file": key})


async def end_reservation(reservation: Reservation, intake: Intake, files: Files) -> bool:
    """Delete the reserved file unless an invoice has it, then end the reservation; True if the file was deleted."""
    is_orphaned = await intake.give_up(reservation)
    # Left by an interrupted run.
    await files.delete(pages_key_of(reservation.account_id, reservation.invoice_id))
    if reservation.month is None:
        # Its invoice is being deleted.
        for folder_of in (evidence_folder_of, archive_folder_of):
            for key in await files.keys_in(folder_of(reservation.account_id, reservation.invoice_id)):
                await files.delete(key)
    if is_orphaned:
        await files.delete(reservation.file_key)
        for picture in await files.keys_in(pictures_key_of(reservation.file_key)):
            await files.delete(picture)
    # Last, so that a crash leaves the reservation and not the file.
    await intake.cancel(reservation)
    return is_orphaned


async def _outlive(what: str, work: Callable[[], Awaitable[None]]) -> None:
    try:
        await work()
    except Exception as error:
        log.error("housekeeping of %s failed: %r", what, error, exc_info=error)
