"""A new owner's first day, from the link that the first start prints to a file in a spreadsheet."""

import csv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import expect
from standardwebhooks import Webhook

from serve_app.commands.serve import _show_sign_in
from serve_app.commands.users import FIRST_OWNER, add_first_owner
from serve_app.domain.account import Plan
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.wiring.accounts import build_accounts
from tests.browser.conftest import Receiver, Visit
from tests.browser.service import Served
from tests.browser.test_people import on_store

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def printed_link(settings: Settings, service: Served, capsys: pytest.CaptureFixture[str]) -> str:
    """What the first start prints; made as it makes it."""

    async def add(store: Store) -> None:
        account = await build_accounts(store).create_account(Plan.UNLIMITED)
        await add_first_owner(store, account.id, FIRST_OWNER, is_operator=True)

    on_store(settings, add)
    here = urlsplit(service.url)
    # Playwright's own loop counts as running in this thread.
    with ThreadPoolExecutor(1) as threads:
        threads.submit(_show_sign_in, settings, here.hostname or "", here.port or 0, is_first=True).result()
    return capsys.readouterr().out.splitlines()[-1].strip()


def test_from_the_printed_link_to_a_file_in_a_spreadsheet(
    visit: Visit,
    service: Served,
    service_settings: Settings,
    receiver: Receiver,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    hook, received = receiver
    page = visit(printed_link(service_settings, service, capsys), None)
    menu = page.locator(".side .menu")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("Three steps to your first invoice")).to_be_visible()

    page.get_by_role("button", name="Try the sample").click()
    sent = page.locator(".sent-file").filter(has_text="sample-invoice.pdf")
    expect(sent.get_by_text("Dropped GmbH, 12.50 EUR")).to_be_visible()
    sent.get_by_role("link", name="sample-invoice.pdf").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Dropped GmbH")

    menu.get_by_role("link", name="Keys").click()
    page.get_by_role("link", name="New key").first.click()
    page.get_by_label("Name").fill("ERP import")
    page.get_by_role("button", name="Create key").click()
    key = {"Authorization": f"Bearer {page.locator('.secret').inner_text()}"}
    (found,) = httpx.get(f"{service.url}/v1/invoices", headers=key).json()["data"]
    assert (found["vendor_name"], found["amount"]) == ("Dropped GmbH", 12.5)

    menu.get_by_role("link", name="Webhooks").click()
    page.get_by_role("link", name="Register an endpoint").first.click()
    page.get_by_label("URL").fill(hook)
    page.get_by_role("button", name="Register").click()
    secret = page.locator(".secret").inner_text()
    file = {"file": ("by-api.pdf", b"%PDF-1.7\n1 0 obj\n", "application/pdf")}
    assert httpx.post(f"{service.url}/v1/invoices?wait=true", headers=key, files=file).json()["status"] == "complete"

    while not received:
        page.wait_for_timeout(50)

    menu.get_by_role("link", name="Deliveries").click()
    page.locator("td.first a").click()
    expect(page.get_by_text("Answered 200")).to_have_count(1)
    page.get_by_role("button", name="Redeliver").click()
    expect(page.get_by_text("The delivery is sent again now")).to_be_visible()
    while len(received) < 2:
        page.wait_for_timeout(50)
    (headers, body), (_, again) = received
    Webhook(secret).verify(body, headers)
    assert body == again

    menu.get_by_role("link", name="Invoices", exact=True).click()
    page.get_by_role("link", name="Export", exact=True).click()
    page.get_by_label("CSV").check()
    with page.expect_download() as started:
        page.get_by_role("button", name="Download").click()
    started.value.save_as(tmp_path / "invoices.csv")
    with (tmp_path / "invoices.csv").open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert {row["file_name"] for row in rows} == {"sample-invoice.pdf", "by-api.pdf"}
    assert {row["vendor_name"] for row in rows} == {"Dropped GmbH"}
