"""Nobody is promised a mail that cannot be sent."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from aiosmtpd.controller import Controller
from pydantic import SecretStr

from serve_app.commands import preflight
from serve_app.domain.account import Account
from serve_app.domain.person import Role
from serve_app.services.upkeep import mail_check
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.support.mails import complete_invoice
from tests.support.people import add_member
from tests.support.ports import free_port
from tests.web.conftest import Browse, NewBrowser

KNOWN, UNKNOWN = "ann@example.com", "nobody@example.com"
CANNOT = "The service cannot send e-mail now"


class Sink:
    """Takes every mail."""

    async def handle_DATA(self, *_: object) -> str:
        return "250 taken"


@contextmanager
def mail_server(port: int) -> Iterator[None]:
    """A mail server without STARTTLS."""
    controller = Controller(Sink(), hostname="127.0.0.1", port=port)
    controller.start()
    yield
    controller.stop()


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def query() -> str:
    """What the address of the mail server asks for; by default STARTTLS is wanted."""
    return ""


@pytest.fixture
def settings(settings: Settings, port: int, query: str) -> Settings:
    given = {
        "smtp_url": SecretStr(f"smtp://127.0.0.1:{port}{query}"),
        "mail_from": "Invoices <invoices@example.com>",
        "public_url": "https://service",
        "smtp_seconds": 5,
    }
    return settings.model_copy(update=given)


@pytest.fixture
async def ann(store: Store, account: Account) -> None:
    await add_member(store, account)


@pytest.mark.usefixtures("ann")
@pytest.mark.parametrize("is_there", [True, False])
async def test_signing_in_says_at_once_that_no_mail_can_be_sent_whoever_asks(
    new: NewBrowser, port: int, is_there: bool
) -> None:
    texts = []
    for address in (KNOWN, UNKNOWN):
        with mail_server(port) if is_there else mail_server(free_port()):
            answer = await new().post("/app/sign-in", data={"address": address})
        assert answer.status_code == 503
        assert CANNOT in answer.text
        texts.append(answer.text.replace(address, ""))
    assert texts[0] == texts[1]
    assert "STARTTLS" not in texts[0]


class TestOnATrustedNetwork:
    @pytest.fixture
    def query(self) -> str:
        return "?starttls=no"

    @pytest.mark.usefixtures("ann")
    async def test_signing_in_works_soon_after_the_server_is_there(
        self, new: NewBrowser, port: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(mail_check, "BAD_FOR", 0.0)
        browser = new()
        assert CANNOT in (await browser.post("/app/sign-in", data={"address": KNOWN})).text
        with mail_server(port):
            answer = await browser.post("/app/sign-in", data={"address": KNOWN}, follow_redirects=True)
        assert "an e-mail with a code is on its way" in answer.text


async def test_who_invites_is_warned_before(browse: Browse) -> None:
    assert CANNOT in (await browse(Role.OWNER).get("/app/people/invite")).text


async def test_an_operator_sees_why(browse: Browse, port: int) -> None:
    with mail_server(port):
        text = (await browse(Role.OWNER, is_operator=True).get("/app/operator/mail")).text
    assert "does not offer STARTTLS" in text
    assert "Nobody can sign in by e-mail" in text


def test_the_start_says_why(settings: Settings, port: int) -> None:
    assert "the connection to the mail server failed" in (preflight.mail_problem(settings) or "")
    with mail_server(port):
        assert "STARTTLS" in (preflight.mail_problem(settings) or "")
        url = SecretStr(f"smtp://127.0.0.1:{port}?starttls=no")
        assert preflight.mail_problem(settings.model_copy(update={"smtp_url": url})) is None
    assert preflight.mail_problem(settings.model_copy(update={"smtp_url": None})) is None


class TestWithoutAMailServer:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"smtp_url": None})

    async def test_signing_in_says_where_the_code_is(self, new: NewBrowser) -> None:
        browser = new()
        assert "This service has no mail server" in (await browser.get("/app/sign-in")).text
        answer = await browser.post("/app/sign-in", data={"address": UNKNOWN}, follow_redirects=True)
        assert "the operator has a file with your code" in answer.text
        assert "on its way" not in answer.text

    async def test_so_do_invitations_and_approvals(self, browse: Browse, store: Store, account: Account) -> None:
        browser = browse(Role.OWNER, is_operator=True)
        assert "This service has no mail server" in (await browser.get("/app/people/invite")).text
        assert "No mail server" in (await browser.get("/app/operator/mail")).text
        invoice = await complete_invoice(store, account.id)
        form = {"act": "approval", "approval": "boss@example.com", "id": str(invoice.id)}
        text = (await browser.post("/app/invoices/act", data=form, follow_redirects=True)).text
        assert re.search("the e-mail was written to a file", text)
        reminded = await browser.post(f"/app/approvals/{invoice.id}/remind", follow_redirects=True)
        assert "The new e-mail was written to a file" in reminded.text
