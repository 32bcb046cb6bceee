"""Signing in by a mail that goes through a mail server, which scans it first."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope
from pydantic import SecretStr

from serve_app.domain.account import Account
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.support.mails import text_of
from tests.support.people import add_member
from tests.support.ports import free_port
from tests.web.conftest import NewBrowser, SignedIn
from tests.web.people import enter, session_of


class Sink:
    """Takes every mail, and keeps it."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []

    async def handle_DATA(self, server: object, session: object, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        message = message_from_bytes(content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.messages.append(message)
        return "250 taken"


@pytest.fixture
def sink() -> Sink:
    return Sink()


@pytest.fixture
def mail_port(sink: Sink) -> Iterator[int]:
    port = free_port()
    controller = Controller(sink, hostname="127.0.0.1", port=port)
    controller.start()
    yield port
    controller.stop()


@pytest.fixture
def settings(settings: Settings, mail_port: int) -> Settings:
    given = {
        "smtp_url": SecretStr(f"smtp://127.0.0.1:{mail_port}?starttls=no"),
        "mail_from": "Invoices <invoices@example.com>",
        "public_url": "https://service",
    }
    return settings.model_copy(update=given)


async def test_a_mail_that_was_scanned_first_still_signs_in(
    new: NewBrowser, store: Store, account: Account, services: Services, sink: Sink
) -> None:
    await add_member(store, account)
    browser, scanner = new(), new(peer="203.0.113.9")
    await browser.post("/app/sign-in", data={"address": "ann@example.com"})
    await services.people.sign_in.finish()
    (message,) = sink.messages
    assert (message["To"], message["From"]) == ("ann@example.com", "Invoices <invoices@example.com>")
    html, text = text_of(message, "html"), text_of(message)
    # As a scanner does: follow every link, and press every button.
    for link in set(re.findall(r'href="(https?://[^"]+)"', html)):
        assert link in text
        assert (await enter(scanner, link)).status_code == 403
    assert session_of(scanner) is None
    code = re.findall(r"^ +(\d{6})$", text, re.MULTILINE)[0]
    assert code in html
    assert (await browser.post("/app/sign-in/code", data={"code": code})).status_code == 303
    assert "ann@example.com" in (await browser.get("/app/devices")).text


async def test_an_invited_person_signs_in_with_what_the_mails_say(
    signed_in: SignedIn, new: NewBrowser, services: Services, sink: Sink
) -> None:
    owner, browser = await signed_in(), new()
    invited = await owner.post(
        "/app/people/invite", data={"address": "bob@example.com", "role": "viewer"}, follow_redirects=True
    )
    assert "bob@example.com was invited by e-mail." in invited.text
    (address,) = re.findall(r"^https?://\S+$", text_of(sink.messages[0]), re.MULTILINE)
    assert (await browser.get(address)).status_code == 200
    await browser.post(address, data={"address": "bob@example.com"})
    await services.people.sign_in.finish()
    link = re.findall(r"^https?://\S+$", text_of(sink.messages[1]), re.MULTILINE)[0]
    assert (await enter(browser, link)).status_code == 303
    assert (await browser.get("/app/people")).status_code == 403
