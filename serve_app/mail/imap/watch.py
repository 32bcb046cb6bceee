"""Hands over what arrives in a mailbox after it was first opened."""

import imaplib
import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, auto
from typing import Protocol

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.mailbox import MailboxPosition
from serve_app.mail.imap.mailbox import REFUSALS, Folder

POLL_SECONDS = 60.0
"""How often the folder is checked if the server does not report new mails."""
IDLE_SECONDS = 300.0
"""How long to wait for the server to report a new mail before checking anyway."""
_MARGIN = timedelta(days=1)
_TRIES = 3

log = logging.getLogger(__name__)


class Handed(Enum):
    """What became of a mail that was handed over."""

    ACCEPTED = auto()
    REFUSED = auto()
    """For good. It stays in the folder."""
    LATER = auto()
    """Not now: this mail and those after it are tried again."""


class Positions(Protocol):
    """Stores how far the mailbox has been read. Blocking; raises Unavailable."""

    def load(self) -> MailboxPosition | None: ...

    def save(self, position: MailboxPosition) -> None: ...


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """`done_folder`: where mails go once they are accepted; None: they stay. `max_bytes`: larger ones are left."""

    max_bytes: int
    done_folder: str | None = None
    poll_seconds: float = POLL_SECONDS
    idle_seconds: float = IDLE_SECONDS


class MailboxWatch:
    """Runs in a thread of its own until `stop`. A mail is handed over at least once: first it is accepted, then moved,
    then written down as read. That it is not read twice is for the receiver to see to. `note_too_large` gets the
    headers and the size of a mail that is left out."""

    def __init__(
        self,
        open_folder: Callable[[], AbstractContextManager[Folder]],
        positions: Positions,
        hand_over: Callable[[bytes], Handed],
        note_too_large: Callable[[bytes, int], Handed],
        options: WatchOptions,
        clock: Clock = utc_now,
    ) -> None:
        self._open_folder = open_folder
        self._positions = positions
        self._hand_over = hand_over
        self._note_too_large = note_too_large
        self._options = options
        self._clock = clock
        self._stopped = threading.Event()
        self._failures: dict[int, int] = {}

    def stop(self) -> None:
        """End within a few seconds."""
        self._stopped.set()

    def run(self) -> None:
        """Keep the mailbox open, and open it again after any trouble, a little later each time."""
        failures = 0
        while not self._stopped.is_set():
            try:
                with self._open_folder() as folder:
                    failures = 0
                    self._watch(folder)
            except Exception as error:
                # Without its text, which may have addresses and what the server says about the password.
                log.warning("the mailbox cannot be read", extra={"cause": type(error).__name__})
                failures = min(failures + 1, 6)
                self._stopped.wait(self._options.poll_seconds * 2 ** (failures - 1) / 4)

    def _watch(self, folder: Folder) -> None:
        while not self._stopped.is_set():
            is_done = self.look(folder)
            if self._stopped.is_set():
                return
            if is_done and folder.has_idle:
                folder.wait(self._options.idle_seconds, self._stopped.is_set)
            else:
                self._stopped.wait(self._options.poll_seconds)

    def look(self, folder: Folder) -> bool:
        """Hand over what is new; False if something has to be tried again."""
        validity, following = folder.numbering()
        position = self._positions.load()
        if position is None:
            self._positions.save(MailboxPosition(validity, following - 1, self._clock()))
            log.info("the mailbox is read from now on")
            return True
        if position.validity == validity:
            uids = folder.after(position.uid)
        else:
            # Numbered anew: what came since the folder was last read, a day before included, is looked at once more.
            uids = folder.since(position.read_at - _MARGIN)
            position = replace(position, validity=validity, uid=0)
        for uid in uids:
            if self._stopped.is_set() or not self._take(folder, uid):
                return False
            position = MailboxPosition(validity, uid, self._clock())
            self._positions.save(position)
        self._positions.save(MailboxPosition(validity, max(following - 1, position.uid), self._clock()))
        return True

    def _take(self, folder: Folder, uid: int) -> bool:
        """Whether nothing more is to be done with the mail."""
        try:
            return self._handed(folder, uid)
        except imaplib.IMAP4.abort:
            raise
        except REFUSALS:
            # One mail that the server does not give must not hold up all others.
            self._failures[uid] = self._failures.get(uid, 0) + 1
            if self._failures[uid] < _TRIES:
                raise
            log.error("a mail in the mailbox cannot be read, and is left out", extra={"uid": uid})
            return True

    def _handed(self, folder: Folder, uid: int) -> bool:
        if (size := folder.size(uid)) > self._options.max_bytes:
            log.warning("a mail in the mailbox is too large, and is left out", extra={"uid": uid})
            return self._note_too_large(folder.head(uid), size) is not Handed.LATER
        raw = folder.read(uid)
        if raw is None:
            return True
        handed = self._hand_over(raw)
        if handed is Handed.REFUSED:
            log.warning("a mail in the mailbox was refused, and is left out", extra={"uid": uid})
        if handed is Handed.ACCEPTED:
            self._put_away(folder, uid)
        return handed is not Handed.LATER

    def _put_away(self, folder: Folder, uid: int) -> None:
        """The mail is safe by now, so nothing depends on this."""
        if self._options.done_folder is None or not folder.can_move:
            return
        try:
            folder.move(uid, self._options.done_folder)
        except REFUSALS as error:
            log.warning("a mail cannot be moved to IMAP_MOVE_TO", extra={"cause": type(error).__name__})
