"""A mailbox is read from now on, each mail at least once, and nothing in it is deleted or marked."""

import imaplib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest

from serve_app.domain.mailbox import MailboxPosition
from serve_app.mail.imap.watch import Handed, MailboxWatch, WatchOptions
from tests.support import NOON, Clock


@dataclass
class FakeFolder:
    """A folder in memory: mails by number, with the day on which they came."""

    mails: dict[int, tuple[bytes, datetime]] = field(default_factory=dict)
    validity: int = 1
    moved: list[tuple[int, str]] = field(default_factory=list)
    can_move: bool = True
    has_idle: bool = True
    broken: set[int] = field(default_factory=set)
    is_lost: bool = False
    following: int = 1

    def add(self, raw: bytes, at: datetime = NOON) -> int:
        uid, self.following = self.following, self.following + 1
        self.mails[uid] = raw, at
        return uid

    def renumber(self) -> None:
        old, self.mails, self.validity, self.following = self.mails, {}, self.validity + 1, 1
        for raw, at in old.values():
            self.add(raw, at)

    def numbering(self) -> tuple[int, int]:
        return self.validity, self.following

    def after(self, uid: int) -> list[int]:
        return [each for each in self.mails if each > uid]

    def since(self, moment: datetime) -> list[int]:
        return [uid for uid, (_, at) in self.mails.items() if at.date() >= moment.date()]

    def size(self, uid: int) -> int:
        return len(self.mails[uid][0])

    def head(self, uid: int) -> bytes:
        return self.mails[uid][0][:4]

    def read(self, uid: int) -> bytes | None:
        if self.is_lost:
            raise imaplib.IMAP4.abort("gone")
        if uid in self.broken:
            raise imaplib.IMAP4.error("NO")
        return self.mails[uid][0]

    def move(self, uid: int, folder: str) -> None:
        if folder == "Missing":
            raise imaplib.IMAP4.error("NO")
        self.moved.append((uid, folder))
        del self.mails[uid]

    def wait(self, seconds: float, is_stopped: object) -> None:
        raise StopIteration


@dataclass
class MemoryPositions:
    position: MailboxPosition | None = None

    def load(self) -> MailboxPosition | None:
        return self.position

    def save(self, position: MailboxPosition) -> None:
        self.position = position


class Receiver:
    """Remembers what it was handed; says what `answers` has for a mail, or that it was accepted."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        self.answers: dict[bytes, Handed] = {}
        self.too_large: list[tuple[bytes, int]] = []

    def note_too_large(self, head: bytes, size: int) -> Handed:
        self.too_large.append((head, size))
        return Handed.REFUSED

    def __call__(self, raw: bytes) -> Handed:
        self.got.append(raw)
        return self.answers.get(raw, Handed.ACCEPTED)


@pytest.fixture
def folder() -> FakeFolder:
    folder = FakeFolder()
    for number in range(3):
        folder.add(b"old %d" % number, NOON - timedelta(days=400))
    return folder


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()


def watch(folder: FakeFolder, receiver: Receiver, positions: MemoryPositions, **options: object) -> MailboxWatch:
    @contextmanager
    def opened() -> Iterator[FakeFolder]:
        yield folder

    known = WatchOptions(**{"max_bytes": 1000, "poll_seconds": 0.01, **options})  # type: ignore[arg-type]
    return MailboxWatch(opened, positions, receiver, receiver.note_too_large, known, Clock())  # type: ignore[arg-type]


def test_what_was_there_before_is_left_alone(folder: FakeFolder, receiver: Receiver) -> None:
    positions = MemoryPositions()
    watching = watch(folder, receiver, positions)
    watching.look(folder)  # type: ignore[arg-type]
    folder.add(b"new")
    watching.look(folder)  # type: ignore[arg-type]
    watching.look(folder)  # type: ignore[arg-type]
    assert receiver.got == [b"new"]
    assert len(folder.mails) == 4


def test_reading_goes_on_where_it_ended(folder: FakeFolder, receiver: Receiver) -> None:
    positions = MemoryPositions(MailboxPosition(1, 1, NOON))
    watch(folder, receiver, positions).look(folder)  # type: ignore[arg-type]
    watch(folder, receiver, positions).look(folder)  # type: ignore[arg-type]
    assert receiver.got == [b"old 1", b"old 2"]


def test_a_crash_between_accepting_and_noting_hands_the_mail_over_once_more(
    folder: FakeFolder, receiver: Receiver
) -> None:
    class Crashing(MemoryPositions):
        def save(self, position: MailboxPosition) -> None:
            raise SystemExit

    start = MailboxPosition(1, 2, NOON)
    with pytest.raises(SystemExit):
        watch(folder, receiver, Crashing(start)).look(folder)  # type: ignore[arg-type]
    watch(folder, receiver, MemoryPositions(start)).look(folder)  # type: ignore[arg-type]
    assert receiver.got == [b"old 2", b"old 2"]


def test_an_accepted_mail_is_moved(folder: FakeFolder, receiver: Receiver) -> None:
    receiver.answers[b"old 1"] = Handed.REFUSED
    positions = MemoryPositions(MailboxPosition(1, 0, NOON))
    watch(folder, receiver, positions, done_folder="Read").look(folder)  # type: ignore[arg-type]
    assert folder.moved == [(1, "Read"), (3, "Read")]
    assert list(folder.mails) == [2]


@pytest.mark.parametrize(("done", "can_move"), [("Missing", True), ("Read", False)])
def test_a_mail_that_cannot_be_moved_stays_and_is_not_read_again(
    folder: FakeFolder, receiver: Receiver, done: str, can_move: bool
) -> None:
    folder.can_move = can_move
    positions = MemoryPositions(MailboxPosition(1, 2, NOON))
    for _ in range(2):
        watch(folder, receiver, positions, done_folder=done).look(folder)  # type: ignore[arg-type]
    assert receiver.got == [b"old 2"]
    assert len(folder.mails) == 3


def test_a_mail_that_has_to_wait_is_tried_again_before_those_after_it(folder: FakeFolder, receiver: Receiver) -> None:
    receiver.answers[b"old 1"] = Handed.LATER
    positions = MemoryPositions(MailboxPosition(1, 0, NOON))
    watching = watch(folder, receiver, positions)
    assert not watching.look(folder)  # type: ignore[arg-type]
    receiver.answers.clear()
    assert watching.look(folder)  # type: ignore[arg-type]
    assert receiver.got == [b"old 0", b"old 1", b"old 1", b"old 2"]


def test_a_folder_that_was_numbered_again_is_looked_at_from_the_day_before(
    folder: FakeFolder, receiver: Receiver
) -> None:
    positions = MemoryPositions(MailboxPosition(1, 3, NOON))
    folder.add(b"yesterday", NOON - timedelta(hours=20))
    folder.add(b"not seen", NOON)
    folder.renumber()
    watch(folder, receiver, positions).look(folder)  # type: ignore[arg-type]
    assert receiver.got == [b"yesterday", b"not seen"]
    watch(folder, receiver, positions).look(folder)  # type: ignore[arg-type]
    assert len(receiver.got) == 2


def test_a_mail_that_the_server_does_not_give_holds_nobody_up_for_long(folder: FakeFolder, receiver: Receiver) -> None:
    folder.broken.add(2)
    positions = MemoryPositions(MailboxPosition(1, 0, NOON))
    watching = watch(folder, receiver, positions)
    for _ in range(2):
        with pytest.raises(imaplib.IMAP4.error):
            watching.look(folder)  # type: ignore[arg-type]
    watching.look(folder)  # type: ignore[arg-type]
    assert receiver.got == [b"old 0", b"old 2"]


def test_a_lost_connection_leaves_no_mail_out(folder: FakeFolder, receiver: Receiver) -> None:
    folder.is_lost = True
    positions = MemoryPositions(MailboxPosition(1, 0, NOON))
    watching = watch(folder, receiver, positions)
    for _ in range(5):
        with pytest.raises(imaplib.IMAP4.abort):
            watching.look(folder)  # type: ignore[arg-type]
    folder.is_lost = False
    watching.look(folder)  # type: ignore[arg-type]
    assert receiver.got == [b"old 0", b"old 1", b"old 2"]


def test_a_mail_that_is_too_large_is_not_fetched(folder: FakeFolder, receiver: Receiver) -> None:
    folder.add(b"x" * 1001)
    positions = MemoryPositions(MailboxPosition(1, 3, NOON))
    watch(folder, receiver, positions).look(folder)  # type: ignore[arg-type]
    assert receiver.got == []
    assert positions.position is not None
    assert positions.position.uid == 4
    assert receiver.too_large == [(b"xxxx", 1001)]


def test_the_mailbox_is_opened_again_after_an_error_and_left_on_request(folder: FakeFolder, receiver: Receiver) -> None:
    opened = 0
    watching: MailboxWatch

    @contextmanager
    def failing() -> Iterator[FakeFolder]:
        nonlocal opened
        opened += 1
        if opened == 3:
            watching.stop()
        if opened < 3:
            raise OSError
        yield folder

    options = WatchOptions(1000, poll_seconds=0.01)
    watching = MailboxWatch(failing, MemoryPositions(), receiver, receiver.note_too_large, options)  # type: ignore[arg-type]
    watching.run()
    assert opened == 3
