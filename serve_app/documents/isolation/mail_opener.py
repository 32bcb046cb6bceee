"""Take mails apart in a child process that starts on first use."""

from dataclasses import replace

from serve_app.documents.isolation.reader import IsolatedReader
from serve_app.documents.isolation.supervisor import ReaderUnavailable
from serve_app.documents.mail.opened import OpenedMail, OpenRules
from serve_app.documents.options import ReadOptions
from serve_app.domain.errors import Unavailable

WORKER = "serve_app.documents.isolation.mail_worker"
SECONDS = 60.0
"""For a mail: the largest take about two seconds."""


class IsolatedOpener:
    """The `MailOpener` of a process."""

    def __init__(self, options: ReadOptions) -> None:
        limits = replace(options.limits, page_seconds=SECONDS, max_seconds=2 * SECONDS)
        self._options = replace(options, limits=limits)
        self._reader: IsolatedReader | None = None

    async def open(self, raw: bytes, rules: OpenRules) -> OpenedMail:
        """The parts of the mail. Raises DocumentError if it cannot be taken apart, Unavailable if no process
        starts."""
        self._reader = self._reader or IsolatedReader(self._options, WORKER)
        try:
            return await self._reader.open_mail(raw, rules)
        except (ReaderUnavailable, ValueError):
            raise Unavailable from None

    def close(self) -> None:
        """Kill the process, if one was started; calls in progress raise Unavailable."""
        if self._reader is not None:
            self._reader.close()
