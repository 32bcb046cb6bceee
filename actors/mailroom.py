"""The loop that takes mails apart."""

import asyncio
from typing import Any

from ray import serve
from ray.serve.handle import DeploymentHandle

from actors.handles import NotifierHandle
from actors.health import ThreadCheck
from actors.stores import open_stores
from serve_app.documents.isolation.mail_opener import IsolatedOpener
from serve_app.services.upkeep.gauges import publish_gauges, publish_mails
from serve_app.settings import Settings
from serve_app.system.thread_pools import WAITING
from serve_app.wiring.mail_worker import build_mail_worker
from serve_app.wiring.telemetry import start_telemetry

OPENERS = 2
"""Mails that one replica takes apart at a time: each by a process of its own, as large as a reader of text once it has
read a picture."""


@serve.deployment(max_ongoing_requests=100)
class Mailroom:
    """Runs the loop for as long as the replica lives; Serve replaces a replica whose loop died. Mails are read in a
    child process, which starts with the first one."""

    def __init__(self, settings: Settings, dispatcher: DeploymentHandle[Any]) -> None:
        start_telemetry(settings, "Mailroom")
        self._store, self._files = open_stores(settings, "Mailroom")
        self._threads = ThreadCheck(self._store)
        self._opener = IsolatedOpener(settings.read_options(), processes=OPENERS)
        self._worker = build_mail_worker(self._store, self._files, self._opener, NotifierHandle(dispatcher), settings)
        self._publishing = publish_gauges(publish_mails, self._store)
        self._loop = asyncio.get_running_loop().create_task(self._worker.run())

    async def wake(self) -> None:
        """A mail is due: look now instead of at the next poll."""
        self._worker.wake()

    async def check_health(self) -> None:
        """Called by Serve. If it raises, Serve replaces the replica."""
        self._threads.check()
        if self._loop.done():
            raise RuntimeError("the mailroom's loop ended")

    async def __del__(self) -> None:
        """Called and awaited by Serve when the replica stops: lets mails in hand finish."""
        self._publishing.cancel()
        self._worker.stop()
        try:
            await self._loop
        finally:
            await WAITING.run(self._opener.close)
            await self._store.connection.close()
            await self._files.close()
