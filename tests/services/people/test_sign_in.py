"""Somebody is who a link or a code says, once, in time, and in the browser that asked."""

import re

import pytest

from serve_app.domain.person import Person
from serve_app.domain.sign_in import LINK_LIFE, MAIL_LIFE, MAX_TRIES
from serve_app.services.people.attempts import peer_key
from serve_app.services.people.bundle import PeopleServices
from serve_app.services.people.refusals import Refusal, SignInRefused
from serve_app.settings import Settings
from tests.support import Clock
from tests.support.mails import FakeMailer, text_of

BASE, PEER = "https://invoices.example.com", "192.0.2.7"


async def asked(services: PeopleServices, mailer: FakeMailer, address: str = "ann@example.com") -> tuple[str, str, str]:
    """The browser's secret, and the token and the code of the mail."""
    browser = await services.sign_in.ask_for_mail(address, PEER, BASE)
    await services.sign_in.finish()
    text = text_of(mailer.messages[-1])
    link, code = re.search(rf"{BASE}/app/enter#(\S+)", text), re.search(r"^ +(\d{6})$", text, re.MULTILINE)
    assert link is not None
    assert code is not None
    return browser, link[1], code[1]


def refused(refusal: Refusal) -> "pytest.RaisesExc[SignInRefused]":
    return pytest.raises(SignInRefused, check=lambda error: error.refusal is refusal)


async def test_a_link_from_the_terminal_works_once_in_any_browser(services: PeopleServices, ann: Person) -> None:
    base, _, token = (await services.links.make(ann.id, BASE)).partition("#")
    assert base == f"{BASE}/app/enter"
    assert await services.sign_in.by_token(token, None, PEER) == ann.id
    with refused(Refusal.UNUSABLE_LINK):
        await services.sign_in.by_token(token, None, PEER)


async def test_a_link_from_the_terminal_works_half_an_hour(services: PeopleServices, ann: Person, clock: Clock) -> None:
    _, _, token = (await services.links.make(ann.id, BASE)).partition("#")
    clock.advance(LINK_LIFE.total_seconds())
    with refused(Refusal.UNUSABLE_LINK):
        await services.sign_in.by_token(token, None, PEER)


async def test_the_code_of_a_mail_signs_in(services: PeopleServices, ann: Person, mailer: FakeMailer) -> None:
    browser, _, code = await asked(services, mailer)
    assert mailer.messages[0]["To"] == ann.email
    assert code not in mailer.messages[0]["Subject"]
    assert await services.sign_in.by_code(f" {code[:3]} {code[3:]} ", browser, PEER) == ann.id
    with refused(Refusal.WRONG_CODE):
        await services.sign_in.by_code(code, browser, PEER)


async def test_the_link_of_a_mail_works_in_the_browser_that_asked(
    services: PeopleServices, ann: Person, mailer: FakeMailer
) -> None:
    browser, token, _ = await asked(services, mailer)
    with refused(Refusal.OTHER_BROWSER):
        await services.sign_in.by_token(token, None, "198.51.100.1")
    other = await services.sign_in.ask_for_mail("nobody@example.com", PEER, BASE)
    with refused(Refusal.UNUSABLE_LINK):
        await services.sign_in.by_token(token, other, PEER)
    assert await services.sign_in.by_token(token, browser, PEER) == ann.id


async def test_a_mail_is_worth_nothing_after_ten_minutes(
    services: PeopleServices, ann: Person, mailer: FakeMailer, clock: Clock
) -> None:
    browser, token, code = await asked(services, mailer)
    clock.advance(MAIL_LIFE.total_seconds())
    with refused(Refusal.WRONG_CODE):
        await services.sign_in.by_code(code, browser, PEER)
    with refused(Refusal.UNUSABLE_LINK):
        await services.sign_in.by_token(token, browser, PEER)


async def test_a_code_can_be_guessed_five_times(services: PeopleServices, ann: Person, mailer: FakeMailer) -> None:
    browser, _, code = await asked(services, mailer)
    for _ in range(MAX_TRIES):
        with refused(Refusal.WRONG_CODE):
            await services.sign_in.by_code("000000" if code != "000000" else "111111", browser, PEER)
    with refused(Refusal.WRONG_CODE):
        await services.sign_in.by_code(code, browser, PEER)


async def test_a_code_is_worth_nothing_in_another_browser(
    services: PeopleServices, ann: Person, mailer: FakeMailer
) -> None:
    _, _, code = await asked(services, mailer)
    for browser in (None, "guess", await services.sign_in.ask_for_mail("nobody@example.com", PEER, BASE)):
        with refused(Refusal.WRONG_CODE):
            await services.sign_in.by_code(code, browser, PEER)


async def test_an_unknown_address_is_answered_like_a_known_one(
    services: PeopleServices, ann: Person, mailer: FakeMailer
) -> None:
    browser = await services.sign_in.ask_for_mail("nobody@example.com", PEER, BASE)
    await services.sign_in.finish()
    assert mailer.messages == []
    with refused(Refusal.WRONG_CODE):
        await services.sign_in.by_code("123456", browser, PEER)


async def test_a_mail_server_that_refuses_changes_no_answer(
    services: PeopleServices, ann: Person, mailer: FakeMailer, caplog: pytest.LogCaptureFixture
) -> None:
    mailer.refuses = True
    assert await services.sign_in.ask_for_mail(ann.email, PEER, BASE)
    await services.sign_in.finish()
    assert "sign-in mail not sent" in caplog.text
    assert ann.email not in caplog.text


async def test_mails_to_one_address_are_limited(
    services: PeopleServices, ann: Person, settings: Settings, mailer: FakeMailer, clock: Clock
) -> None:
    for _ in range(settings.sign_in_mails_per_address):
        await services.sign_in.ask_for_mail("Ann@example.com", PEER, BASE)
    with refused(Refusal.TOO_MANY_MAILS):
        await services.sign_in.ask_for_mail("ann@EXAMPLE.com", PEER, BASE)
    await services.sign_in.finish()
    assert len(mailer.messages) == settings.sign_in_mails_per_address
    clock.advance(3600)
    await services.sign_in.ask_for_mail(ann.email, PEER, BASE)


async def test_failures_of_one_network_are_limited_and_refuse_nothing_valid(
    services: PeopleServices, ann: Person, settings: Settings, mailer: FakeMailer
) -> None:
    _, _, token = (await services.links.make(ann.id, BASE)).partition("#")
    for number in range(settings.sign_in_attempts_per_peer):
        with refused(Refusal.UNUSABLE_LINK):
            await services.sign_in.by_token(f"guess {number}", None, f"2001:db8::{number:x}")
    for attempt in (
        services.sign_in.by_token("guess", None, "2001:db8::ffff"),
        services.sign_in.by_code("123456", "browser", "2001:db8::ffff"),
    ):
        with refused(Refusal.TOO_MANY_TRIES):
            await attempt
    assert await services.sign_in.by_token(token, None, "2001:db8::ffff") == ann.id
    browser, _, code = await asked(services, mailer)
    assert await services.sign_in.by_code(code, browser, "2001:db8::ffff") == ann.id


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("testclient", "testclient"),
    ],
)
def test_what_counts_as_one_peer(address: str, key: str) -> None:
    assert peer_key(address) == key
