"""Whether mail can be sent, so that nobody is promised one in vain."""

import asyncio
import logging
import math
import time
from collections.abc import Callable

from serve_app.services.ports import MailError, MailServer

GOOD_FOR = 60.0
"""How long an answer of the server counts, in seconds."""
BAD_FOR = 10.0
"""The same for a failure, which may be over soon."""

log = logging.getLogger(__name__)


class MailCheck:
    """Asks the mail server what it would be asked before a message; however often it is called, the server is asked
    only now and then. The answer depends on nobody's address."""

    def __init__(self, server: MailServer | None, monotonic: Callable[[], float] = time.monotonic) -> None:
        """`server` None: mail is written to files, which the operator can read."""
        self._server = server
        self._monotonic = monotonic
        self._turn = asyncio.Lock()
        self._problem: str | None = None
        self._until = -math.inf

    @property
    def has_server(self) -> bool:
        """Whether mail reaches anybody but the operator."""
        return self._server is not None

    async def problem(self) -> str | None:
        """Why no mail can be sent now, for operators; None if it can."""
        if self._server is None:
            return None
        async with self._turn:
            now = self._monotonic()
            if now >= self._until:
                self._problem = await _problem_of(self._server)
                self._until = now + (GOOD_FOR if self._problem is None else BAD_FOR)
            return self._problem


async def _problem_of(server: MailServer) -> str | None:
    try:
        await server.sign_in()
    except MailError as error:
        log.warning("no mail can be sent: %s", error)
        return str(error)
    return None
