"""People sign in, in a real browser, and are kept out of what is not theirs."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest
from playwright.sync_api import Page, expect

from serve_app.domain.clock import utc_now
from serve_app.domain.person import Person, Role
from serve_app.services.people.sign_in import SignInLinks
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store
from tests.browser.conftest import Visit
from tests.browser.service import Served
from tests.browser.test_access import violations
from tests.support.people import add_member
from tests.web.people import newest_mail

pytestmark = [pytest.mark.browser, pytest.mark.slow]

T = TypeVar("T")


def on_store(settings: Settings, work: Callable[[Store], Awaitable[T]]) -> T:
    """What `work` returns; in a thread, because Playwright has an event loop running in this one."""

    async def run() -> T:
        store = open_store(settings, utc_now)
        try:
            return await work(store)
        finally:
            await store.connection.close()

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(lambda: asyncio.run(run())).result()


def colleague(settings: Settings, email: str, role: Role = Role.OWNER) -> None:
    """Somebody new in the account of the owner."""

    async def add(store: Store) -> Person:
        owner = await store.people.find("owner@example.com")
        assert owner is not None
        (place,) = await store.memberships.of_person(owner.id)
        account = await store.accounts.get(place.account_id)
        assert account is not None
        return await add_member(store, account, email, role, utc_now())

    on_store(settings, add)


def link_for(settings: Settings, service: Served, email: str) -> str:
    """What `invoices user link` prints, without the address of the service."""

    async def make(store: Store) -> str:
        person = await store.people.find(email)
        assert person is not None
        return await SignInLinks(store.sign_ins).make(person.id, service.url)

    return on_store(settings, make).removeprefix(service.url)


def press_sign_in(page: Page) -> None:
    page.get_by_role("button", name="Sign in").click()


def test_a_link_signs_in_by_keyboard_alone_and_leaves_no_trace(
    visit: Visit, service: Served, service_settings: Settings
) -> None:
    colleague(service_settings, "keyboard@example.com")
    link = link_for(service_settings, service, "keyboard@example.com")
    page = visit(link, None)
    assert page.url == f"{service.url}/app/enter"
    page.keyboard.press("Enter")
    page.wait_for_url("**/app/")
    expect(page.get_by_text("Keyboard", exact=True).first).to_be_visible()
    page.go_back()
    assert link.partition("#")[2] not in page.url
    again = visit(link, None, refusals=1)
    press_sign_in(again)
    expect(again.get_by_role("heading", name="This link does not work")).to_be_visible()


def test_a_link_without_scripts_says_what_it_needs(visit: Visit, service: Served, service_settings: Settings) -> None:
    page = visit(link_for(service_settings, service, "owner@example.com"), None, scripts=False)
    expect(page.get_by_text("This link needs JavaScript")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)


def test_a_mail_signs_in_though_a_scanner_was_first(
    visit: Visit, service: Served, service_settings: Settings, axe: str
) -> None:
    colleague(service_settings, "mail@example.com", Role.VIEWER)
    page = visit("/app/devices", None)
    page.get_by_label("E-mail address").fill("mail@example.com")
    page.get_by_role("button", name="Create a code").click()
    expect(page.get_by_label("Code")).to_be_focused()
    assert violations(page, axe) == []
    page.wait_for_timeout(500)
    to, link, code = newest_mail(Path(service_settings.mail_folder))
    assert to == "mail@example.com"
    scanner = visit(link.removeprefix(service.url), None, refusals=1)
    press_sign_in(scanner)
    expect(scanner.get_by_text("enter the code from the e-mail there")).to_be_visible()
    page.get_by_label("Code").fill(code)
    page.keyboard.press("Enter")
    page.wait_for_url("**/app/devices")
    expect(page.get_by_text("This browser")).to_be_visible()


def test_a_session_that_was_ended_in_another_browser_is_over(
    visit: Visit, service: Served, service_settings: Settings
) -> None:
    colleague(service_settings, "twice@example.com")
    pages = []
    for _ in range(2):
        page = visit(link_for(service_settings, service, "twice@example.com"), None)
        press_sign_in(page)
        page.wait_for_url("**/app/")
        pages.append(page)
    pages[0].goto("/app/devices")
    pages[0].get_by_role("button", name="Sign out", exact=True).locator("visible=true").last.click()
    expect(pages[0].get_by_text("The browser was signed out.")).to_be_visible()
    pages[1].goto("/app/invoices")
    pages[1].wait_for_url("**/app/sign-in?next=%2Fapp%2Finvoices")


def test_an_invited_person_comes_in_and_may_only_look(
    visit: Visit, service: Served, service_settings: Settings
) -> None:
    owner = visit("/app/people")
    owner.get_by_role("link", name="Invite somebody").click()
    owner.get_by_label("E-mail address").fill("invited@example.com")
    owner.get_by_text("Can only view").click()
    owner.get_by_role("button", name="Invite").click()
    expect(owner.get_by_text("invited@example.com was invited")).to_be_visible()
    page = visit(link_for(service_settings, service, "invited@example.com"), None, refusals=2)
    press_sign_in(page)
    page.wait_for_url("**/app/")
    expect(page.get_by_role("link", name="People")).to_have_count(0)
    for path in ("/app/people", "/app/keys"):
        page.goto(path)
        expect(page.get_by_role("heading", name="No permission")).to_be_visible()


@pytest.mark.parametrize("person", ["reviewer", "viewer"])
def test_a_reviewer_and_a_viewer_may_not_change_people(visit: Visit, person: str) -> None:
    page = visit("/app/people/invite", person, refusals=1)
    expect(page.get_by_text("Only an owner can do this.")).to_be_visible()
