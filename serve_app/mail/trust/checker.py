"""Checks of senders for callers on an event loop."""

import asyncio
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from serve_app.domain.inbound_mail import Envelope, Verdict
from serve_app.mail.trust.worker import Question
from serve_app.thread_pools import WAITING

SECONDS = 10.0
_PROJECT = Path(__file__).parents[3]
_COMMAND = (sys.executable, "-s", "-P", "-m", "serve_app.mail.trust.worker")
_AT_A_TIME = 2

log = logging.getLogger(__name__)


class SenderCheck:
    """Judges each mail in a process of its own, which is killed after `seconds`; two at a time. `authserv_id` is the
    name under which a server in front writes its results, and `front` says which mails that server has brought."""

    def __init__(
        self,
        authserv_id: str = "",
        front: Callable[[Envelope], bool] = lambda _: False,
        seconds: float = SECONDS,
        command: Sequence[str] = _COMMAND,
    ) -> None:
        self._authserv_id = authserv_id
        self._front = front
        self._seconds = seconds
        self._command = command
        self._turns = asyncio.Semaphore(_AT_A_TIME)

    async def check(self, raw: bytes, envelope: Envelope) -> Verdict:
        """What was proved about the sender: nothing, if finding out takes too long or fails."""
        authserv_id = self._authserv_id if self._front(envelope) else ""
        async with self._turns:
            return await WAITING.run(self._ask, Question(raw, envelope, authserv_id, self._seconds))

    def _ask(self, question: Question) -> Verdict:
        try:
            done = subprocess.run(  # noqa: S603 - our own module
                self._command,
                input=msgspec.msgpack.encode(question),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=self._seconds,
                check=True,
                env={"PYTHONPATH": str(_PROJECT), "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"},
            )
            # It has parsed what strangers wrote: its answer is read as data, and checked.
            return msgspec.msgpack.decode(done.stdout, type=Verdict)
        except subprocess.TimeoutExpired:
            return Verdict(words=(f"Not checked: it took longer than {self._seconds:g} seconds",))
        except (subprocess.SubprocessError, OSError, msgspec.MsgspecError) as error:
            log.warning("a mail could not be checked", extra={"cause": type(error).__name__})
            return Verdict(words=("Not checked: the check failed",))
