"""One folder on a server. Blocking; nothing is ever deleted or marked as read."""

import imaplib
import re
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from io import BufferedReader
from typing import Any, Self, cast

from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError

from serve_app.mail.imap.account import ImapAccount

REFUSALS = (ImapToolsError, imaplib.IMAP4.error)
"""The server refuses what it was asked for; `imaplib.IMAP4.abort`, one of them, says that the connection is lost."""
_SECONDS = 60
# A pause, because some servers may report something with every answer.
_SOON_S = 2.0
_HEAD_BYTES = 65_536
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


class Folder:
    """The folder of an account, opened."""

    def __init__(self, box: BaseMailBox, name: str) -> None:
        self._box = box
        self._name = name

    @classmethod
    @contextmanager
    def open(cls, account: ImapAccount, token: Callable[[], str] | None) -> Iterator[Self]:
        """Sign in with the password, or else with a new token (XOAUTH2). Raises REFUSALS, OSError."""
        box = _connected(account)
        try:
            if account.password is not None:
                box.login(account.user, account.password, account.folder)
            elif token is not None:
                box.xoauth2(account.user, token(), account.folder)
            _learn_capabilities(box)
            yield cls(box, account.folder)
        finally:
            box.client.shutdown()

    @property
    def can_move(self) -> bool:
        """Whether the server moves mails itself; without that, moving would mean copying and deleting."""
        return "MOVE" in self._box.client.capabilities

    def numbering(self) -> tuple[int, int]:
        """The numbering in force (UIDVALIDITY), and the number of the next mail. What the server reports from here on
        ends the next `wait` soon."""
        self._box.client.response("EXISTS")
        status = self._box.folder.status(self._name, ["UIDVALIDITY", "UIDNEXT"])
        return status["UIDVALIDITY"], status["UIDNEXT"]

    def after(self, uid: int) -> list[int]:
        """The numbers of all later mails, in order."""
        # The server answers `n:*` with the last mail even if that is before n.
        return sorted(found for text in self._box.uids(f"UID {uid + 1}:*") if (found := int(text)) > uid)

    def since(self, moment: datetime) -> list[int]:
        """The numbers of mails that came on that day or later, in order."""
        return sorted(int(text) for text in self._box.uids(f"SINCE {moment:%d-%b-%Y}"))

    def size(self, uid: int) -> int:
        """In bytes; 0 if the mail is gone."""
        found = _SIZE.search(_joined(self._fetch(uid, "(RFC822.SIZE)")))
        return int(found[1]) if found else 0

    def read(self, uid: int) -> bytes | None:
        """The mail as it is, without marking it as read; None if it is gone."""
        return next((part[1] for part in self._fetch(uid, "(BODY.PEEK[])") if isinstance(part, tuple)), None)

    def head(self, uid: int) -> bytes:
        """The start of the mail's headers; empty if it is gone."""
        found = self._fetch(uid, f"(BODY.PEEK[HEADER]<0.{_HEAD_BYTES}>)")
        return next((part[1] for part in found if isinstance(part, tuple)), b"")

    def _fetch(self, uid: int, what: str) -> list[Any]:
        status, answer = self._box.client.uid("FETCH", str(uid), what)
        if status != "OK":
            raise imaplib.IMAP4.error(status)
        return answer

    def move(self, uid: int, folder: str) -> None:
        """Into a folder that exists."""
        self._box.move(str(uid), folder)

    def wait(self, seconds: float, is_stopped: Callable[[], bool]) -> None:
        """Until something happens in the folder, at most this long; ends within a second once `is_stopped`."""
        # The answer to a command may have reported something: no server reports it twice.
        is_reported = self._box.client.response("EXISTS")[1] != [None]
        with self._box.idle as idle:
            if is_reported or _has_buffered(self._box.client):
                seconds = min(seconds, _SOON_S)
            until = time.monotonic() + seconds
            while time.monotonic() < until and not is_stopped() and not idle.poll(timeout=1):
                continue

    @property
    def has_idle(self) -> bool:
        """Whether the server reports new mails by itself (IDLE)."""
        return "IDLE" in self._box.client.capabilities


def _connected(account: ImapAccount) -> BaseMailBox:
    if account.tls:
        return MailBox(account.host, account.port, _SECONDS, ssl_context=ssl.create_default_context())
    if account.is_local:
        return MailBoxUnencrypted(account.host, account.port, _SECONDS)
    return MailBoxStartTls(account.host, account.port, _SECONDS, ssl_context=ssl.create_default_context())


def _has_buffered(client: imaplib.IMAP4) -> bool:
    """Whether the server's last answer brought more with it: polling the socket would not see that any more."""
    timeout = client.sock.gettimeout()
    client.sock.settimeout(0)
    try:
        return bool(cast(BufferedReader, client.file).peek(1))
    except OSError:
        # Over TLS: nothing to read yet.
        return False
    finally:
        client.sock.settimeout(timeout)


def _learn_capabilities(box: BaseMailBox) -> None:
    """Servers name most of what they can do (MOVE, IDLE) only to those who have signed in; the libraries ask before."""
    _, answer = box.client.capability()
    box.client.capabilities = tuple(answer[-1].decode("ascii", "replace").upper().split())


def _joined(answer: list[Any]) -> bytes:
    parts = (part for item in answer for part in (item if isinstance(item, tuple) else (item,)))
    return b" ".join(part for part in parts if isinstance(part, bytes))
