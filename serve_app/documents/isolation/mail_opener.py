"""Take mails and uploaded files apart in a child process that starts on first use."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from serve_app.documents.isolation.reader import IsolatedReader
from serve_app.documents.isolation.supervisor import ReaderUnavailable
from serve_app.documents.mail.opened import OpenedMail, OpenedPart, OpenRules
from serve_app.documents.options import ReadOptions
from serve_app.domain.errors import Unavailable

WORKER = "serve_app.documents.isolation.mail_worker"
SECONDS = 60.0
"""For a mail: the largest take about two seconds."""


class IsolatedOpener:
    """The `MailOpener` and `FileOpener` of a process. At most `processes` children work at a time; each starts when all
    others are at work."""

    def __init__(self, options: ReadOptions, processes: int = 1) -> None:
        limits = replace(options.limits, page_seconds=SECONDS, max_seconds=2 * SECONDS)
        self._options = replace(options, limits=limits)
        self._idle: list[IsolatedReader] = []
        self._all: list[IsolatedReader] = []
        self._turns = asyncio.Semaphore(processes)

    async def open(self, raw: bytes, rules: OpenRules) -> OpenedMail:
        """The parts of the mail. Raises DocumentError if it cannot be taken apart, Unavailable if no process
        starts."""
        try:
            async with self._child() as child:
                return await child.open_mail(raw, rules)
        except (ReaderUnavailable, ValueError):
            raise Unavailable from None

    async def open_file(self, data: bytes, name: str | None, rules: OpenRules) -> tuple[OpenedPart, ...]:
        """The documents in a file that was uploaded, and why the other files in it are none. Raises as `open` does."""
        try:
            async with self._child() as child:
                return await child.open_file(data, name, rules)
        except (ReaderUnavailable, ValueError):
            raise Unavailable from None

    @asynccontextmanager
    async def _child(self) -> AsyncIterator[IsolatedReader]:
        async with self._turns:
            if not self._idle:
                self._idle.append(IsolatedReader(self._options, WORKER))
                self._all.append(self._idle[-1])
            # The one that was used last: those that few mails need stay small.
            child = self._idle.pop()
            try:
                yield child
            finally:
                self._idle.append(child)

    def close(self) -> None:
        """Kill all processes that were started; calls in progress raise Unavailable."""
        for child in self._all:
            child.close()
