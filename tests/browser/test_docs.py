"""The interactive documentation works under its content security policy."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.test_access import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("width", [1280, 360])
def test_the_documentation_shows_the_endpoints_and_sends_requests(visit: Visit, width: int) -> None:
    page = visit("/docs", None, width=width, refusals=1)
    expect(page.get_by_role("heading", name="Invoice extraction")).to_be_visible()
    page.locator(".opblock-summary-get", has_text="/v1/me").click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    # Without a key: the answer comes, and is shown.
    expect(page.get_by_text("missing_api_key").first).to_be_visible()


@pytest.mark.parametrize("width", [1280, 360])
def test_only_the_markup_of_swagger_ui_itself_violates_wcag(visit: Visit, axe: str, width: int) -> None:
    page = visit("/docs", None, width=width)
    page.locator(".opblock-summary-post", has_text="/v1/invoices").first.click()
    expect(page.locator(".opblock-body").first).to_be_visible()
    # Buttons with links inside, and headings that leave out a level.
    own = {"nested-interactive", "heading-order"}
    assert [each for each in violations(page, axe) if each.partition(":")[0] not in own] == []
