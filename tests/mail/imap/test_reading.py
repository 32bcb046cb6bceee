"""What comes into a mailbox becomes mails, with a real server where Dovecot is installed."""

import asyncio
import imaplib
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

import pytest
from pydantic import SecretStr

from serve_app.domain.account import Account
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.inbound_mail import InboundMail, MailQuery, Way
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.mail_refusals import MailRefused, Refusal
from serve_app.domain.user_error import UserError
from serve_app.mail.imap.mailboxes import mailboxes_of
from serve_app.mail.imap.reading import MailboxReading
from serve_app.mail.imap.token import NoToken, TokenRequest, token_request
from serve_app.mail.imap.watch import Handed
from serve_app.net.outcome import Unreachable
from serve_app.services.mailroom.reception import Reception
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.mailboxes import build_mailbox_readings
from tests.mail.imap.dovecot import PASSWORD, dovecot
from tests.support.inbound import add_address
from tests.support.until import until

RAW = (
    b"Return-Path: <anna+caf@shop.test>\r\nMessage-ID: <%d@x>\r\nFrom: a@shop.test\r\nSubject: x\r\n\r\nGr\xfc\xdfe\r\n"
)


@pytest.fixture
async def address(store: Store, account: Account) -> MailAddress:
    return await add_address(store, account.id)


async def received(store: Store, account: Account, count: int) -> list[InboundMail]:
    """The account's mails, oldest first, once there are so many."""
    for _ in range(200):
        page = await store.mails.page(account.id, MailQuery(), 50)
        if len(page.items) >= count:
            break
        await asyncio.sleep(0.05)
    return list(reversed(page.items))


class Server:
    """A mailbox seen from the side of its owner."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._client = imaplib.IMAP4("127.0.0.1", port, 10)
        self._client.login("anna@shop.test", PASSWORD)
        self._client.create("Read")

    def add(self, raw: bytes) -> None:
        self._client.append("INBOX", "", None, raw)

    def flags(self, folder: str) -> list[bytes]:
        """The flags of each mail in a folder."""
        self._client.select(folder, readonly=True)
        _, found = self._client.search(None, "ALL")
        numbers = found[0].split()
        answers = [self._client.fetch(number.decode(), "(FLAGS)")[1][0] for number in numbers]
        self._client.unselect()
        return [answer for answer in answers if isinstance(answer, bytes)]

    def close(self) -> None:
        self._client.logout()


@pytest.fixture
def server() -> Iterator[Server]:
    with (
        tempfile.TemporaryDirectory(prefix="dovecot-", ignore_cleanup_errors=True) as folder,
        dovecot(Path(folder)) as port,
    ):
        server = Server(port)
        yield server
        server.close()


def of(settings: Settings, server: Server, address: MailAddress, **changes: Any) -> Settings:
    url = f"imap://anna%40shop.test:{quote(PASSWORD, safe='')}@127.0.0.1:{server.port}/INBOX"
    known = {"imap_url": SecretStr(url), "imap_address": f"{address.local}@in.test", "imap_move_to": "Read"}
    return settings.model_copy(update=known | changes)


def reading_of(store: Store, files: Files, settings: Settings) -> MailboxReading:
    (reading,) = build_mailbox_readings(store, files, settings)
    return reading


@pytest.mark.slow
class TestDovecot:
    async def test_new_mails_are_accepted_moved_and_not_marked(
        self, store: Store, files: Files, settings: Settings, account: Account, address: MailAddress, server: Server
    ) -> None:
        server.add(RAW % 0)
        reading = reading_of(store, files, of(settings, server, address))
        running = asyncio.create_task(reading.run())
        name = f"anna@shop.test@127.0.0.1:{server.port}/INBOX"
        await until(lambda: store.mailboxes.position(name))
        for number in (1, 2):
            server.add(RAW % number)
        mails = await received(store, account, 2)
        reading.stop()
        await asyncio.wait_for(running, 10)
        assert [await files.read(mail.file_key) for mail in mails[:2]] == [RAW % 1, RAW % 2]
        assert (mails[0].envelope.way, mails[0].envelope.sender) == (Way.IMAP, "anna+caf@shop.test")
        # The first was there before.
        assert [flags for flags in server.flags("INBOX") if b"Seen" in flags] == []
        assert len(server.flags("INBOX")) == 1
        assert len(server.flags("Read")) == 2
        assert [flags for flags in server.flags("Read") if b"Seen" in flags] == []

    async def test_a_mail_that_is_too_large_is_shown_once_by_its_headers(
        self, store: Store, files: Files, account: Account, settings: Settings, address: MailAddress, server: Server
    ) -> None:
        settings = of(settings, server, address, max_mail_bytes=2**20)
        for _ in range(2):
            reading = reading_of(store, files, settings)
            running = asyncio.create_task(reading.run())
            await until(lambda: store.mailboxes.position(f"anna@shop.test@127.0.0.1:{server.port}/INBOX"))
            server.add(RAW % 1 + b"x" * 2**20)
            (mail,) = await received(store, account, 1)
            reading.stop()
            await running
        assert (mail.heading.sender, mail.heading.subject, mail.has_raw) == ("a@shop.test", "x", False)
        assert mail.parts[0].reason == "The e-mail is larger than 1 MB and was not read. Send its documents one by one."
        assert (await store.mails.page(account.id, MailQuery(has_problems=True), 10)).items[0].id == mail.id

    async def test_it_goes_on_where_it_was_stopped(
        self, store: Store, files: Files, settings: Settings, account: Account, address: MailAddress, server: Server
    ) -> None:
        configured = of(settings, server, address, imap_move_to=None)
        for numbers in ((), (1, 2), (3,)):
            for number in numbers:
                server.add(RAW % number)
            reading = reading_of(store, files, configured)
            before = len(await received(store, account, 0))
            running = asyncio.create_task(reading.run())
            await received(store, account, before + len(numbers))
            await asyncio.sleep(0.5)
            reading.stop()
            await asyncio.wait_for(running, 10)
        found = [await files.read(mail.file_key) for mail in await received(store, account, 3)]
        assert found == [RAW % number for number in (1, 2, 3)]

    async def test_a_wrong_password_is_tried_again_and_not_reported(
        self,
        store: Store,
        files: Files,
        settings: Settings,
        address: MailAddress,
        server: Server,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        url = SecretStr(f"imap://anna:hunter2@127.0.0.1:{server.port}/INBOX")
        reading = reading_of(store, files, of(settings, server, address, imap_url=url))
        running = asyncio.create_task(reading.run())

        async def is_logged() -> bool:
            return "the mailbox cannot be read" in caplog.text

        await until(is_logged)
        reading.stop()
        await asyncio.wait_for(running, 20)
        assert "hunter2" not in caplog.text
        assert "anna" not in caplog.text


class FakeServer:
    """Gives tokens."""

    def __init__(self, answer: dict[str, Any] | None) -> None:
        self.answer = answer
        self.asked: list[tuple[str, Mapping[str, str]]] = []

    async def post(self, url: str, headers: Mapping[str, str], form: Mapping[str, str]) -> dict[str, Any]:
        self.asked.append((url, form))
        if self.answer is None:
            raise Unreachable("it took too long")
        return self.answer


class TestToken:
    SETTINGS: ClassVar[dict[str, Any]] = {
        "imap_url": SecretStr("imaps://anna@mail.test"),
        "imap_address": "a@in.test",
        "imap_oauth_token_url": "https://login.test/token",
        "imap_oauth_client_id": "us",
        "imap_oauth_client_secret": SecretStr("hunter2"),
        "imap_oauth_scope": "https://outlook.office365.com/.default",
    }

    def request(self, settings: Settings, **changes: Any) -> TokenRequest:
        (mailbox,) = mailboxes_of(settings.model_copy(update=self.SETTINGS | changes))
        found = token_request(mailbox)
        assert found is not None
        return found

    async def test_it_is_asked_for_in_the_services_own_name(self, settings: Settings) -> None:
        server = FakeServer({"access_token": "abc"})
        assert await self.request(settings).send(server) == "abc"
        form = {
            "client_id": "us",
            "client_secret": "hunter2",
            "grant_type": "client_credentials",
            "scope": "https://outlook.office365.com/.default",
        }
        assert server.asked == [("https://login.test/token", form)]

    async def test_or_in_that_of_the_mailboxs_owner(self, settings: Settings) -> None:
        server = FakeServer({"access_token": "abc"})
        await self.request(settings, imap_oauth_refresh_token=SecretStr("r1")).send(server)
        assert server.asked[0][1]["grant_type"] == "refresh_token"
        assert server.asked[0][1]["refresh_token"] == "r1"

    @pytest.mark.parametrize("answer", [None, {}, {"access_token": 7}])
    async def test_no_token_is_an_error_without_secrets(
        self, settings: Settings, answer: dict[str, Any] | None
    ) -> None:
        with pytest.raises(NoToken) as raised:
            await self.request(settings).send(FakeServer(answer))
        assert "hunter2" not in str(raised.value)

    def test_it_is_not_shown(self, settings: Settings) -> None:
        assert "hunter2" not in repr(self.request(settings))


@pytest.mark.parametrize(
    "changes",
    [
        {"imap_url": SecretStr("imaps://anna:x@mail.test")},
        {"imap_url": SecretStr("imaps://anna@mail.test"), "imap_address": "a@in.test"},
        {
            "imap_url": SecretStr("imaps://a@b.test"),
            "imap_address": "a@in.test",
            "imap_oauth_token_url": "https://x.test",
        },
    ],
)
def test_settings_that_do_not_suffice_are_refused(
    store: Store, files: Files, settings: Settings, changes: dict[str, Any]
) -> None:
    with pytest.raises(UserError):
        build_mailbox_readings(store, files, settings.model_copy(update=changes))


SEVERAL = """
[[mailbox]]
url = "imaps://berlin:hunter2@mail.test/Bills"
address = "a@in.test"
move_to = "Done"

[[mailbox]]
url = "imaps://paris@mail.test"
address = "b+paris@in.test"
oauth_token_url = "https://login.test/token"
oauth_client_id = "us"
oauth_client_secret = "hunter2"
"""


def test_several_mailboxes_are_in_a_file(store: Store, files: Files, settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "mailboxes.toml"
    path.write_text(SEVERAL)
    changes = {"imap_file": path, "imap_url": SecretStr("imaps://anna:x@mail.test"), "imap_address": "c@in.test"}
    found = mailboxes_of(settings.model_copy(update=changes))
    assert [(mailbox.address, mailbox.move_to) for mailbox in found] == [
        ("c@in.test", None),
        ("a@in.test", "Done"),
        ("b+paris@in.test", None),
    ]
    assert "hunter2" not in repr(found)
    assert len(build_mailbox_readings(store, files, settings.model_copy(update=changes))) == 3
    assert build_mailbox_readings(store, files, settings) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no table"),
        ("hunter2", "not valid TOML"),
        ("mailbox = 'hunter2'", "no table"),
        ("mailbox = ['hunter2']", "mailbox 1"),
        ("[[mailbox]]\nurl = 'imaps://a:hunter2@mail.test'", "mailbox 1: .*: address$"),
        ("[[mailbox]]\naddress = 'a'\nurl = 'imaps://a:hunter2@mail.test'\npassword = 'hunter2'", ": password$"),
        (SEVERAL + SEVERAL, "twice"),
    ],
)
def test_a_file_of_mailboxes_that_cannot_be_used_is_refused_without_repeating_it(
    settings: Settings, tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "mailboxes.toml"
    with pytest.raises(UserError, match="cannot be read"):
        mailboxes_of(settings.model_copy(update={"imap_file": path}))
    path.write_text(text)
    with pytest.raises(UserError, match=problem) as refused:
        mailboxes_of(settings.model_copy(update={"imap_file": path}))
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("error", "handed"),
    [
        (MailRefused(Refusal.TOO_LARGE), Handed.REFUSED),
        (MailRefused(Refusal.LOOP), Handed.REFUSED),
        (MailRefused(Refusal.OVER_RATE), Handed.LATER),
        (MailRefused(Refusal.UNKNOWN_ADDRESS), Handed.LATER),
        (MailRefused(Refusal.ADDRESS_CHANGED), Handed.LATER),
        (StoreUnreachable(), Handed.LATER),
    ],
)
async def test_only_what_is_wrong_with_a_mail_leaves_it_out(
    store: Store, files: Files, settings: Settings, monkeypatch: pytest.MonkeyPatch, error: Exception, handed: Handed
) -> None:
    async def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Reception, "receive", fail)
    url = {"imap_url": SecretStr("imaps://anna:x@mail.test"), "imap_address": "a@in.test"}
    reading = reading_of(store, files, settings.model_copy(update=url))
    reading._loop = asyncio.get_running_loop()
    assert await asyncio.to_thread(reading._hand_over, RAW % 1) is handed
