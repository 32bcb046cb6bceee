"""Checks of senders for callers on an event loop."""

import asyncio
import logging
import time
from collections.abc import Callable

import msgspec

from serve_app.domain.inbound_mail import Envelope, Verdict
from serve_app.mail.trust.fork_client import Forks, ForksAway
from serve_app.mail.trust.worker import Question, SenderAnswer

SECONDS = 10.0
AWAY_SECONDS = 60.0
"""How long the name server is not asked after it answered nothing at all."""
_PREPARE = "serve_app.mail.trust.worker:prepare"
_AT_A_TIME = 16
"""Most of them wait for a name server."""

log = logging.getLogger(__name__)


class SenderCheck:
    """Authenticates the sender of each mail in a process of its own, which is killed after `seconds`. `authserv_id` is
    the name under which a server in front writes its results, and `front` says which mails that server has brought;
    `prepare` names the function that loads what authentication needs."""

    def __init__(
        self,
        authserv_id: str = "",
        front: Callable[[Envelope], bool] = lambda _: False,
        seconds: float = SECONDS,
        prepare: str = _PREPARE,
    ) -> None:
        self._authserv_id = authserv_id
        self._front = front
        self._seconds = seconds
        self._forks = Forks(prepare)
        self._turns = asyncio.Semaphore(_AT_A_TIME)
        self._away_until = 0.0

    async def check(self, raw: bytes, envelope: Envelope) -> Verdict:
        """What was proved about the sender: nothing, if finding out takes too long or fails."""
        authserv_id = self._authserv_id if self._front(envelope) else ""
        async with self._turns:
            asks_names = time.monotonic() >= self._away_until
            return await self._ask(Question(raw, envelope, authserv_id, self._seconds, asks_names))

    async def _ask(self, question: Question) -> Verdict:
        try:
            answer = await self._forks.ask(msgspec.msgpack.encode(question), self._seconds)
            # The child has parsed untrusted bytes: its answer is decoded as data only, and validated.
            found = msgspec.msgpack.decode(answer, type=SenderAnswer)
        except TimeoutError:
            return Verdict(words=(f"Not checked: it took longer than {self._seconds:g} seconds",))
        except (ForksAway, msgspec.MsgspecError) as error:
            log.warning("a mail could not be checked", extra={"cause": type(error).__name__})
            return Verdict(words=("Not checked: the check failed",))
        if question.asks_names and found.is_name_server_away:
            self._away_until = time.monotonic() + AWAY_SECONDS
            log.warning("the name server does not answer; further checks are skipped for a while")
        return found.verdict
