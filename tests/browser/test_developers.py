"""The developers' screens in a real browser: keys, webhooks, exports, the quick start."""

import asyncio
import csv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from standardwebhooks import Webhook

from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.session import WebSession, hash_secret, new_secret
from serve_app.settings import Settings
from serve_app.store.factory import open_store
from serve_app.web.cookies import SESSION
from tests.browser.conftest import Receiver, Visit
from tests.browser.service import Served
from tests.browser.test_access import violations
from tests.support.thorough import LOOKS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCREENS = [
    *("/app/keys", "/app/keys/new", "/app/webhooks", "/app/webhooks/new", "/app/deliveries", "/app/requests"),
    *("/app/quick-start", "/app/vendors", "/app/approvals", "/app/events", "/app/export", "/app/exports"),
    *("/app/exports?format=template", "/app/exports/schedules", "/app/account"),
    *("/app/vendors?name=acme", "/app/vendors?name=nobody"),
]


@pytest.fixture
def developer(visit: Visit, service: Served, service_settings: Settings) -> Page:
    """A page of the owner, who has just signed in: keys and secrets ask for that."""

    async def sign_in() -> str:
        store = open_store(service_settings)
        person = await store.people.find("owner@example.com")
        assert person is not None
        (place,) = await store.memberships.of_person(person.id)
        secret, now = new_secret(), utc_now()
        session = WebSession(new_id(), hash_secret(secret), person.id, place.account_id, now, now, now, "A browser")
        await store.sessions.add(session)
        await store.connection.close()
        return secret

    page = visit()
    # Playwright's own loop counts as running in this thread.
    secret = ThreadPoolExecutor(1).submit(lambda: asyncio.run(sign_in())).result()
    address = service.url.replace("http:", "https:")
    page.context.add_cookies([{"name": SESSION, "value": secret, "url": address}])
    return page


def test_a_key_is_made_used_and_revoked(developer: Page, service: Served) -> None:
    developer.goto("/app/keys/new")
    developer.get_by_label("Name").fill("ERP import")
    developer.get_by_role("button", name="Create key").click()
    raw = developer.locator(".secret").inner_text()
    headers = {"Authorization": f"Bearer {raw}", "X-Request-Id": "of-the-browser"}
    assert httpx.get(f"{service.url}/v1/me", headers=headers).status_code == 200
    developer.goto("/app/requests?id=of-the-browser")
    expect(developer.locator("td.first")).to_have_text("GET /v1/me")
    developer.goto("/app/keys")
    developer.get_by_role("link", name="Revoke ERP import").click()
    expect(developer.get_by_text("used today")).to_be_visible()
    developer.get_by_role("button", name="Revoke it").click()
    expect(developer.get_by_text("was revoked.")).to_be_visible()
    assert httpx.get(f"{service.url}/v1/me", headers=headers).status_code == 401


def test_an_endpoint_is_registered_tested_and_delivered_to_again(developer: Page, receiver: Receiver, axe: str) -> None:
    url, received = receiver
    developer.goto("/app/webhooks/new")
    developer.get_by_label("URL").fill(url)
    developer.get_by_label("Description").fill("In this test")
    developer.get_by_role("button", name="Register").click()
    secret = developer.locator(".secret").inner_text()
    developer.get_by_role("link", name="Continue to a test event").click()
    developer.get_by_role("button", name="Send", exact=True).click()
    expect(developer.locator("#test-result")).to_contain_text("answered 200")
    expect(developer.locator("#test-result")).to_contain_text("thank you")
    headers, body = received[0]
    Webhook(secret).verify(body, headers)
    developer.get_by_role("link", name="Request and response").click()
    expect(developer.locator(".timeline > li")).to_have_count(1)
    developer.get_by_role("button", name="Redeliver").click()
    expect(developer.get_by_text("The delivery is sent again now")).to_be_visible()
    developer.wait_for_function(
        "() => fetch(location).then(a => a.text()).then(t => t.split('Answered 200').length == 3)"
    )
    assert [body for _, body in received] == [body, body]
    developer.get_by_role("button", name="Copy as curl").click()
    expect(developer.locator("#signed")).to_contain_text("5 minutes")
    assert violations(developer, axe) == []
    developer.goto("/app/webhooks")
    developer.get_by_role("link", name="In this test").click()
    expect(developer.get_by_text("2 of 2 attempts")).to_be_visible()
    for width, scheme in ((360, "light"), (1280, "dark")):
        developer.set_viewport_size({"width": width, "height": 900})
        developer.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert violations(developer, axe) == [], (width, scheme)
        assert developer.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


def test_the_quick_start_ends_with_an_invoice(developer: Page) -> None:
    developer.goto("/app/quick-start")
    developer.get_by_role("button", name="Create a key").click()
    developer.get_by_role("button", name="Run it here").click()
    expect(developer.locator("#answer")).to_contain_text("Dropped GmbH")


def test_a_vendor_is_found_by_a_part_of_its_name_without_scripts(visit: Visit) -> None:
    page = visit("/app/vendors", "viewer", scripts=False)
    page.get_by_role("searchbox", name="Name").fill("SUPPLIES")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("td.first a")).to_have_text(["Acme Supplies Ltd"])
    page.get_by_role("link", name="Clear").click()
    assert page.locator("td.first a").count() > 1


@pytest.mark.parametrize("scripts", [True, False])
def test_an_exported_file_opens(visit: Visit, tmp_path: Path, scripts: bool) -> None:
    page = visit("/app/export?status=complete", "viewer", scripts=scripts)
    page.get_by_label("CSV").check()
    with page.expect_download() as started:
        page.get_by_role("button", name="Download").click()
    started.value.save_as(tmp_path / "invoices.csv")
    with (tmp_path / "invoices.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 5
    assert {row["status"] for row in rows} == {"complete"}
    if scripts:
        expect(page.locator("#export-state")).to_contain_text("is complete")


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_no_screen_of_developers_violates_wcag(
    visit: Visit, developer: Page, axe: str, width: int, scheme: str
) -> None:
    developer.set_viewport_size({"width": width, "height": 900})
    developer.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for screen in SCREENS:
        developer.goto(screen)
        assert violations(developer, axe) == [], screen
        assert developer.evaluate("document.documentElement.scrollWidth <= innerWidth"), screen
