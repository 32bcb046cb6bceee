"""Somebody who attacks the sign-in page locks nobody out, and does not get in."""

import os
from pathlib import Path

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.person import Person
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.web.cookies import SIGN_IN_REQUEST
from tests.support import Clock
from tests.support.people import add_member
from tests.web.conftest import NewBrowser
from tests.web.people import enter, newest_mail

BASE = "https://service"
SHARED, FAR = "203.0.113.1", "198.51.100.9"
"""The address that an attacker shares with everybody in the office, and another one."""


@pytest.fixture
def mail(settings: Settings) -> Path:
    return Path(settings.mail_folder)


@pytest.fixture
async def ann(store: Store, account: Account) -> Person:
    return await add_member(store, account)


@pytest.fixture
async def attacked(new: NewBrowser, settings: Settings) -> None:
    """Many more wrong codes and links than are allowed, from the shared address."""
    attacker = new(peer=SHARED)
    for number in range(settings.sign_in_attempts_per_peer + 20):
        await attacker.post("/app/sign-in/code", data={"code": f"{number:06}"})
        await attacker.post("/app/enter", data={"token": f"guess {number}"})


async def ask(browser: httpx.AsyncClient, services: Services, address: str = "ann@example.com") -> httpx.Response:
    """Ask for a mail; it has been sent when this returns."""
    answer = await browser.post("/app/sign-in", data={"address": address})
    await services.people.sign_in.finish()
    return answer


async def guess(browser: httpx.AsyncClient, times: int) -> httpx.Response:
    """Type wrong codes; returns the last answer."""
    for _ in range(times):
        answer = await browser.post("/app/sign-in/code", data={"code": "x"})
    return answer


@pytest.mark.usefixtures("attacked")
async def test_a_one_time_link_works_from_an_address_under_attack(
    new: NewBrowser, services: Services, ann: Person
) -> None:
    link = await services.people.links.make(ann.id, BASE)
    assert (await enter(new(peer=SHARED), link)).status_code == 303


@pytest.mark.usefixtures("attacked")
async def test_a_fresh_mail_signs_in_from_an_address_under_attack(
    new: NewBrowser, services: Services, ann: Person, mail: Path
) -> None:
    by_code, by_link = new(peer=SHARED), new(peer=SHARED)
    assert (await ask(by_code, services)).status_code == 303
    _, _, code = newest_mail(mail)
    assert (await by_code.post("/app/sign-in/code", data={"code": code})).status_code == 303
    assert (await ask(by_link, services)).status_code == 303
    _, link, _ = newest_mail(mail)
    assert (await enter(by_link, link)).status_code == 303


@pytest.mark.usefixtures("attacked")
async def test_further_failures_of_the_address_are_reported_as_too_many(new: NewBrowser) -> None:
    answer = await new(peer=SHARED).post("/app/enter", data={"token": "guess"})
    assert answer.status_code == 429
    assert "A valid link or code still works" in answer.text
    assert (await new(peer=FAR).post("/app/enter", data={"token": "guess"})).status_code == 403


async def test_signing_in_is_no_attempt(new: NewBrowser, services: Services, ann: Person, settings: Settings) -> None:
    """A whole office signs in through one address."""
    for _ in range(settings.sign_in_attempts_per_peer + 1):
        link = await services.people.links.make(ann.id, BASE)
        assert (await enter(new(peer=SHARED), link)).status_code == 303
    assert (await new(peer=SHARED).post("/app/enter", data={"token": "guess"})).status_code == 403


async def test_asking_for_mails_of_others_does_not_stop_ones_own(
    new: NewBrowser, services: Services, ann: Person, settings: Settings
) -> None:
    for number in range(settings.sign_in_attempts_per_peer + 1):
        await ask(new(peer=SHARED), services, f"nobody{number}@example.com")
    assert (await ask(new(peer=SHARED), services)).status_code == 303


async def test_who_asks_for_somebodys_mails_elsewhere_does_not_use_them_up(
    new: NewBrowser, services: Services, ann: Person, settings: Settings
) -> None:
    for _ in range(settings.sign_in_mails_per_address + 1):
        answer = await ask(new(peer=FAR), services)
    assert answer.status_code == 429
    assert (await ask(new(peer=SHARED), services)).status_code == 303


async def test_a_browser_that_signed_in_before_is_not_stopped_by_anybody(
    new: NewBrowser, services: Services, ann: Person, settings: Settings, mail: Path
) -> None:
    browser = new(peer=SHARED)
    await enter(browser, await services.people.links.make(ann.id, BASE))
    await browser.post("/app/sign-out")
    for number in range(10 * settings.sign_in_mails_per_address):
        await ask(new(peer=f"198.51.100.{number}"), services)
    assert (await ask(new(peer=SHARED), services)).status_code == 429
    assert (await ask(browser, services)).status_code == 303
    _, _, code = newest_mail(mail)
    assert (await browser.post("/app/sign-in/code", data={"code": code})).status_code == 303


async def test_that_a_browser_signed_in_before_helps_with_no_other_address(
    new: NewBrowser, services: Services, ann: Person, account: Account, store: Store, settings: Settings
) -> None:
    mallory = await add_member(store, account, "mallory@example.com")
    browser = new(peer=FAR)
    await enter(browser, await services.people.links.make(mallory.id, BASE))
    await browser.post("/app/sign-out")
    answers = [(await ask(browser, services)).status_code for _ in range(settings.sign_in_mails_per_address + 1)]
    assert answers == [303] * settings.sign_in_mails_per_address + [429]


async def test_mails_to_one_person_are_limited_whoever_asks(
    new: NewBrowser, services: Services, ann: Person, mail: Path, settings: Settings
) -> None:
    for number in range(10 * settings.sign_in_mails_per_address):
        await ask(new(peer=f"198.51.100.{number}"), services)
    assert len(os.listdir(mail)) == 5 * settings.sign_in_mails_per_address


async def test_codes_cannot_be_guessed_with_many_mails_from_many_addresses(
    new: NewBrowser, services: Services, ann: Person, mail: Path
) -> None:
    """At most 30 guesses of six digits a day: further mails have codes that are too long to be guessed."""
    lengths = []
    for number in range(12):
        browser = new(peer=f"198.51.100.{number}")
        await ask(browser, services)
        _, _, code = newest_mail(mail)
        lengths.append(len(code))
        assert (await guess(browser, 5)).status_code in {422, 429}
        assert (await browser.post("/app/sign-in/code", data={"code": code})).status_code in {422, 429}
    assert lengths == [6] * 6 + [10] * 6


async def test_a_long_code_signs_in(new: NewBrowser, services: Services, ann: Person, mail: Path) -> None:
    for number in range(8):
        await ask(new(peer=f"198.51.100.{number}"), services)
    browser = new(peer=SHARED)
    await ask(browser, services)
    _, _, code = newest_mail(mail)
    assert len(code) == 10
    assert code not in (await browser.get("/app/sign-in/code")).text
    assert (await browser.post("/app/sign-in/code", data={"code": code})).status_code == 303


async def test_codes_are_short_again_on_the_next_day(
    new: NewBrowser, services: Services, ann: Person, mail: Path, clock: Clock
) -> None:
    for number in range(8):
        await ask(new(peer=f"198.51.100.{number}"), services)
    clock.advance(86_400)
    await ask(new(peer=SHARED), services)
    assert len(newest_mail(mail)[2]) == 6


async def test_a_code_is_void_after_five_wrong_ones_whoever_typed_them(
    new: NewBrowser, services: Services, ann: Person, mail: Path
) -> None:
    browser = new(peer=SHARED)
    await ask(browser, services)
    _, _, code = newest_mail(mail)
    thief = new(peer=FAR)
    thief.cookies.update({SIGN_IN_REQUEST: browser.cookies.get(SIGN_IN_REQUEST) or ""})
    await guess(thief, 5)
    assert (await browser.post("/app/sign-in/code", data={"code": code})).status_code == 422


class TestBehindAProxy:
    """Everybody comes through a proxy, which writes where they come from."""

    PROXY = "10.0.0.1"

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"trusted_proxies": "10.0.0.0/24"})

    async def fail(self, browser: httpx.AsyncClient, times: int, forwarded: str) -> int:
        """Guess; returns the status of the last answer."""
        for number in range(times):
            headers = {"X-Forwarded-For": forwarded.format(number)}
            answer = await browser.post("/app/enter", data={"token": "guess"}, headers=headers)
        return answer.status_code

    async def test_failures_are_counted_by_the_clients_address(self, new: NewBrowser, settings: Settings) -> None:
        browser, limit = new(peer=self.PROXY), settings.sign_in_attempts_per_peer
        assert await self.fail(browser, limit, SHARED) == 403
        assert await self.fail(browser, 1, FAR) == 403
        assert await self.fail(browser, 1, SHARED) == 429

    async def test_what_a_client_wrote_itself_is_not_believed(self, new: NewBrowser, settings: Settings) -> None:
        browser, limit = new(peer=self.PROXY), settings.sign_in_attempts_per_peer
        assert await self.fail(browser, limit + 1, f"192.0.2.{{}}, {SHARED}") == 429

    async def test_nobody_else_is_believed(self, new: NewBrowser, settings: Settings) -> None:
        browser, limit = new(peer="127.0.0.1"), settings.sign_in_attempts_per_peer
        assert await self.fail(browser, limit + 1, "192.0.2.{}") == 429

    async def test_the_proxy_says_that_people_use_https(self, new: NewBrowser) -> None:
        through, past = new("http://service", self.PROXY), new("http://service", FAR)
        for browser in (through, past):
            del browser.headers["Sec-Fetch-Site"]
        said = {"X-Forwarded-Proto": "https"}
        assert (await through.get("/app/sign-in", headers=said)).status_code == 200
        assert (await past.get("/app/sign-in", headers=said)).status_code == 403
