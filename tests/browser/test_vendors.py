"""Vendors that are renamed, merged and split, in a browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.test_access import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(
    ("width", "scheme", "scripts"), [(1280, "light", True), (360, "dark", True), (360, "light", False)]
)
def test_two_vendors_are_merged_and_split_again(visit: Visit, axe: str, width: int, scheme: str, scripts: bool) -> None:
    page = visit("/app/vendors", "reviewer", width=width, scheme=scheme, scripts=scripts)
    for name in ("Northwind Traders Inc.", "Cloudbank Services SARL"):
        page.get_by_label(f"Select {name}").check()
    page.get_by_role("button", name="Merge the selected vendors").click()
    page.get_by_label("Cloudbank").check()
    assert not scripts or violations(page, axe) == []
    page.get_by_role("button", name="Merge").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Cloudbank Services SARL")
    expect(page.get_by_role("link", name="2 invoices")).to_be_visible()
    assert not scripts or violations(page, axe) == []
    assert not scripts or page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Split off Northwind Traders Inc.").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Northwind Traders Inc.")
    expect(page.get_by_role("link", name=re.compile("^1 invoice"))).to_be_visible()


def test_a_vendor_is_renamed_by_keyboard(visit: Visit) -> None:
    page = visit("/app/vendors?name=schrauben")
    page.get_by_role("link", name="Schraubenhandel Werner").click()
    field = page.get_by_label("Name of the vendor")
    field.fill("Werner & Co")
    field.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Werner & Co")
    expect(page.get_by_text("“Schraubenhandel Werner”")).to_be_visible()
    page.get_by_label("Name of the vendor").fill("")
    page.get_by_label("Name of the vendor").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Schraubenhandel Werner")
