"""The chart, and the codes of an invoice on the review screen, in a browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import BlankPages, Visit, settings_in
from tests.browser.service import Served, served
from tests.browser.test_access import violations
from tests.support.thorough import LOOKS

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Accounts of its own: a chart changes every review."""
    with served(settings_in(tmp_path_factory.mktemp("coding")), BlankPages(), pile=1) as service:
        yield service


def import_chart(page: Page) -> None:
    page.get_by_label("Usual chart").select_option("datev-skr03")
    page.get_by_role("button", name="Preview").last.click()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("The codes were imported.")).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_a_chart_is_imported_and_an_invoice_is_coded_by_keyboard(
    visit: Visit, axe: str, width: int, scheme: str
) -> None:
    # The invoices of this account have no pictures.
    page = visit("/app/chart", "auditor", width=width, scheme=scheme, refusals=None)
    assert violations(page, axe) == []
    import_chart(page)
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    page.goto("/app/invoices")
    href = page.locator("#content tbody a").first.get_attribute("href")
    assert href is not None
    page.goto(href.replace("/invoices/", "/review/"))
    expect(page.locator("#review-screen")).to_have_attribute("data-drawn", "")
    account = page.get_by_label("Accounts, row 1")
    account.fill("4930")
    account.press("Alt+s")
    page.get_by_label("Share in percent, row 1").fill("40")
    page.get_by_label("Share in percent, row 2").fill("60")
    account.press("Alt+a")
    account.press("Alt+Enter")
    expect(page.locator(".saving")).to_have_text("Saved")
    page.reload()
    expect(page.get_by_text("Confirmed by auditor@example.com.")).to_be_visible()
    expect(page.get_by_label("Share in percent, row 2")).to_have_value("60")
    assert violations(page, axe) == []
    page.get_by_text("Coding", exact=True).click()
    page.reload()
    expect(page.get_by_label("Accounts, row 1")).to_be_hidden()
