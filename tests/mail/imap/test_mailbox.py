"""What a server reports at an awkward moment, by a server that answers exactly as written here."""

import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from serve_app.mail.imap.account import ImapAccount
from serve_app.mail.imap.mailbox import Folder

_ANSWERS = {
    b"CAPABILITY": b"* CAPABILITY IMAP4rev1 IDLE\r\n",
    b"SELECT": b"* 0 EXISTS\r\n",
    b"STATUS": b'* STATUS "INBOX" (UIDVALIDITY 1 UIDNEXT 2)\r\n',
    b"UID": b"* SEARCH\r\n",
}


@contextmanager
def folder_of(answers: dict[bytes, bytes]) -> Iterator[Folder]:
    """A folder on a server that answers each command by its first word, and then that it is done."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"* OK ready\r\n")
            while line := self.rfile.readline():
                if line.startswith(b"DONE"):
                    continue
                tag, command = line.split()[:2]
                if command == b"IDLE":
                    self.wfile.write(answers[b"IDLE"])
                    self.rfile.readline()
                else:
                    self.wfile.write(answers.get(command, b""))
                self.wfile.write(tag + b" OK done\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        account = ImapAccount("127.0.0.1", server.server_address[1], False, "anna", "INBOX", "password")
        with Folder.open(account, None) as folder:
            yield folder
        server.shutdown()


@pytest.mark.parametrize(
    "reported",
    [
        pytest.param({b"IDLE": b"+ idling\r\n* 1 EXISTS\r\n"}, id="with the consent to wait"),
        pytest.param({b"UID": b"* SEARCH\r\n* 1 EXISTS\r\n", b"IDLE": b"+ idling\r\n"}, id="with an earlier answer"),
    ],
)
def test_a_mail_that_comes_just_before_waiting_ends_it(reported: dict[bytes, bytes]) -> None:
    with folder_of(_ANSWERS | reported) as folder:
        folder.numbering()
        folder.after(1)
        started = time.monotonic()
        folder.wait(60, lambda: False)
        assert time.monotonic() - started < 30


def test_waiting_ends_soon_once_it_is_stopped() -> None:
    with folder_of(_ANSWERS | {b"IDLE": b"+ idling\r\n"}) as folder:
        folder.numbering()
        folder.after(1)
        asked = iter([False, True])
        folder.wait(60, lambda: next(asked))
        assert next(asked, None) is None
