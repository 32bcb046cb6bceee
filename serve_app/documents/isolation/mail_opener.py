"""Take mails and uploaded files apart in a child process that starts on first use."""

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
    """The `MailOpener` and `FileOpener` of a process."""

    def __init__(self, options: ReadOptions) -> None:
        limits = replace(options.limits, page_seconds=SECONDS, max_seconds=2 * SECONDS)
        self._options = replace(options, limits=limits)
        self._reader: IsolatedReader | None = None

    async def open(self, raw: bytes, rules: OpenRules) -> OpenedMail:
        """The parts of the mail. Raises DocumentError if it cannot be taken apart, Unavailable if no process
        starts."""
        try:
            return await self._child().open_mail(raw, rules)
        except (ReaderUnavailable, ValueError):
            raise Unavailable from None

    async def open_file(self, data: bytes, name: str | None, rules: OpenRules) -> tuple[OpenedPart, ...]:
        """The documents in a file that was uploaded, and why the other files in it are none. Raises as `open` does."""
        try:
            return await self._child().open_file(data, name, rules)
        except (ReaderUnavailable, ValueError):
            raise Unavailable from None

    def _child(self) -> IsolatedReader:
        self._reader = self._reader or IsolatedReader(self._options, WORKER)
        return self._reader

    def close(self) -> None:
        """Kill the process, if one was started; calls in progress raise Unavailable."""
        if self._reader is not None:
            self._reader.close()
