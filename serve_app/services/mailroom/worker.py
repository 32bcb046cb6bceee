"""The loop that claims due mails and works on them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import Unavailable
from serve_app.domain.inbound_mail import InboundMail
from serve_app.services.mailroom.run import MailRun
from serve_app.services.tasks.polling import PollingLoop
from serve_app.services.tasks.rounds import forever
from serve_app.store.base import Mails
from serve_app.telemetry.logs import kind_and_place
from serve_app.telemetry.tracer import span

AT_A_TIME = 24
"""Mails that one worker has in hand. Two are taken apart at a time; the others wait for the store, or for name
servers."""
BYTES_AT_A_TIME = 64 * 2**20
"""Of the mails in hand together; one that is larger by itself is worked on alone."""

RETRY_SECONDS = 20.0
"""After which a mail is tried again while something that it needs is out of reach."""

log = logging.getLogger(__name__)


class MailWorker:
    """A worker, not the queue: mails wait in the store, and any number of workers claim them.

    `await run()` works until `stop()`; `wake()` signals that a mail is due. the steps of `maintenance` are done at
    intervals.
    """

    def __init__(
        self,
        mails: Mails,
        run: MailRun,
        maintenance: Sequence[Callable[[], Awaitable[object]]],
        *,
        lease_seconds: float,
        heartbeat_seconds: float,
        poll_seconds: float,
        maintenance_seconds: float,
        clock: Clock = utc_now,
    ) -> None:
        self._mails = mails
        self._run = run
        self._maintenance = maintenance
        self._lease = timedelta(seconds=lease_seconds)
        self._heartbeat_seconds = heartbeat_seconds
        self._maintenance_seconds = maintenance_seconds
        self._clock = clock
        self._loop = PollingLoop(self._claim, poll_seconds, "taking up mails")
        self._running: dict[asyncio.Task[None], int] = {}
        self._served: UUID | None = None

    def wake(self) -> None:
        """Look for due mails now. Call it on the loop that `run` runs on."""
        self._loop.wake()

    async def run(self) -> None:
        """Work until `stop` is called. Store errors are logged, and the loop continues."""
        maintenance = asyncio.create_task(forever(self._run_maintenance, self._maintenance_seconds))
        try:
            await self._loop.run()
            await asyncio.gather(*self._running, return_exceptions=True)
        finally:
            for task in (maintenance, *self._running):
                task.cancel()
            await asyncio.gather(maintenance, *self._running, return_exceptions=True)

    def stop(self) -> None:
        """Take up no further mail; `run` returns when those in hand are done."""
        self._loop.stop()

    async def _claim(self) -> None:
        while not self._loop.is_stopping and self._has_room():
            mail = await self._mails.claim_due(self._lease, self._served)
            if mail is None:
                return
            self._served = mail.account_id
            task = asyncio.create_task(self._work(mail))
            self._running[task] = mail.size
            task.add_done_callback(self._ended)

    def _has_room(self) -> bool:
        return len(self._running) < AT_A_TIME and sum(self._running.values()) < BYTES_AT_A_TIME

    async def _work(self, mail: InboundMail) -> None:
        beating = asyncio.create_task(self._keep_claim(mail))
        try:
            with span("mail", state=mail.state):
                await self._run.run(mail)
        except Unavailable as error:
            log.warning("mail not worked on: %s", error, extra={"mail_id": str(mail.id)})
            await self._put_back(mail)
        except Exception as error:
            # The lease expires, and the mail is claimed again.
            log.error("mail lost by its worker: %s", kind_and_place(error), extra={"mail_id": str(mail.id)})
        finally:
            beating.cancel()

    async def _put_back(self, mail: InboundMail) -> None:
        """For another try in a while, which does not count as a worker lost."""
        with suppress(Unavailable):
            due_at = self._clock() + timedelta(seconds=RETRY_SECONDS)
            await self._mails.save(replace(mail, due_at=due_at, claims=mail.claims - 1))

    async def _keep_claim(self, mail: InboundMail) -> None:
        while True:
            await asyncio.sleep(self._heartbeat_seconds)
            with suppress(Unavailable):
                await self._mails.renew(mail, self._lease)

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._running[task]
        # There is capacity for another mail.
        self.wake()

    async def _run_maintenance(self) -> None:
        for step in self._maintenance:
            try:
                await step()
            except Exception as error:
                log.error("maintenance of the mailroom failed: %r", error, exc_info=error)
