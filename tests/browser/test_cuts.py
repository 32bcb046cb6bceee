"""Cutting a file into other invoices, in a browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_file_is_cut_again_and_merged_back(visit: Visit) -> None:
    page = visit("/app/invoices?vendor=Sandqvist&number=", "owner")
    page.goto("/app/invoices?vendor=Crème")
    page.get_by_role("link", name="All invoices of the file").or_(page.locator("td.title a").first).first.click()
    page.get_by_role("link", name="Review").last.click()
    page.get_by_role("link", name="Pages of the file").click()
    thumbs = page.locator(".thumb")
    expect(thumbs).to_have_count(3)
    # Keys do nothing until the script has run, which shows its buttons.
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    price = page.locator(".price")
    page.locator("figure").nth(2).focus()
    page.keyboard.press("Space")
    expect(price).to_contain_text("3 invoices: 2 will be read")
    expect(price).to_contain_text("costs 1 unit")
    page.keyboard.press("Control+z")
    expect(price).to_have_text("Nothing changes.")
    page.keyboard.press("Control+y")
    expect(thumbs.nth(2)).to_have_attribute("data-role", "begins")
    page.get_by_role("button", name="Cut the file so").click()
    page.get_by_role("button", name="Cut it").click()
    expect(page.get_by_text("2 are read, 1 was replaced")).to_be_visible()
    expect(page.locator("td.title a")).to_have_count(3)
    # The stand-ins have read the new ones.
    new = page.locator("td.title a", has_text="Dropped GmbH")
    expect(new).to_have_count(2, timeout=15_000)
    # And back.
    new.first.click()
    page.get_by_role("link", name="Review").last.click()
    page.get_by_role("link", name="Pages of the file").click()
    expect(thumbs.nth(2)).to_have_attribute("data-role", "begins")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.locator("figure").nth(2).focus()
    page.keyboard.press("Space")
    expect(thumbs.nth(2)).to_have_attribute("data-role", "continues")
    expect(price).to_contain_text("2 invoices: 1 will be read")
    expect(price).to_contain_text("returns 1 unit")
    page.get_by_role("button", name="Cut the file so").click()
    page.get_by_role("button", name="Cut it").click()
    expect(page.get_by_text("1 is read, 2 were replaced")).to_be_visible()
    expect(page.locator("td.title a")).to_have_count(2)
    expect(new).to_have_count(1, timeout=15_000)
