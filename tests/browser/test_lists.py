"""Working on many invoices at once from their list."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.test_access import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def select(page: Page, count: int) -> None:
    for place in range(count):
        page.locator('input[name="id"]').nth(place).check()


def open_menu(page: Page, name: str) -> None:
    page.locator(".acts summary", has_text=name).click()


@pytest.mark.parametrize("width", [360, 1280])
def test_filters_are_one_line_and_the_others_open_below(visit: Visit, width: int) -> None:
    page = visit("/app/invoices?vendor=a&due_after=2001-01-01", width=width)
    box = page.locator(".filters").bounding_box()
    assert box is not None
    assert box["height"] < 60
    number = page.get_by_role("searchbox", name="Number")
    expect(number).to_be_visible(visible=width > 1000)
    page.get_by_text("More filters (1)").click()
    expect(number).to_be_visible()
    expect(page.get_by_label("Due after")).to_have_value("2001-01-01")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_of_many_currencies_three_sums_are_shown(visit: Visit) -> None:
    page = visit("/app/invoices")
    page.locator('input[name="id"]').evaluate_all(
        """(boxes) => boxes.forEach((box, place) => {
          box.dataset.amount = "1.10";
          box.dataset.currency = ["EUR", "USD", "GBP", "CHF", "SEK"][place % 5];
        })"""
    )
    select(page, 10)
    sums = page.locator("[data-sums]")
    expect(sums).to_have_text("2.20 EUR, 2.20 USD, 2.20 GBP and 2 more")


def test_many_are_confirmed_and_that_is_undone(visit: Visit, axe: str) -> None:
    path = "/app/invoices?status=complete&vendor=lac"
    page = visit(path)
    select(page, 2)
    open_menu(page, "Confirm")
    page.get_by_role("button", name="Confirm them").click()
    expect(page.get_by_role("heading", name="2 invoices confirmed.")).to_be_visible()
    assert violations(page, axe) == []
    other = visit(path)
    select(other, 3)
    open_menu(other, "Reject")
    other.get_by_label("Reason").fill("Not ours")
    other.keyboard.press("Enter")
    expect(other.get_by_role("heading", name="1 invoice rejected.")).to_be_visible()
    expect(other.get_by_role("heading", name="2 not changed: The invoice is already confirmed.")).to_be_visible()
    expect(other.locator(".names a").first).to_have_text(re.compile("lectricité du Lac F-"))
    assert violations(other, axe) == []
    for each, count in ((page, "2 invoices"), (other, "1 invoice")):
        each.get_by_role("button", name="Undo").click()
        expect(each.get_by_role("status").filter(has_text=f"{count} open again.")).to_be_visible()
        expect(each).to_have_url(re.compile(r"/app/invoices\?status=complete&vendor=lac$"))


def test_many_are_assigned_on_a_phone(visit: Visit, axe: str) -> None:
    page = visit("/app/invoices?status=complete&vendor=acme", "reviewer", width=360)
    select(page, 2)
    assert violations(page, axe) == []
    open_menu(page, "Assign")
    page.get_by_label("Assign to").select_option("Reviewer")
    page.get_by_role("button", name="Assign them").click()
    expect(page.get_by_role("heading", name="2 invoices assigned.")).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_list_is_saved_found_again_and_deleted(visit: Visit, axe: str, width: int, scheme: str) -> None:
    page = visit("/app/invoices", "viewer", width=width, scheme=scheme)
    page.get_by_role("searchbox", name="Vendor", exact=True).fill("acme")
    page.wait_for_url(re.compile("vendor=acme"))
    page.get_by_text("Save this view").click()
    page.get_by_label("Name of the view").fill(f"Acme {width}")
    assert violations(page, axe) == []
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was saved. Only you can see it.")).to_be_visible()
    page.goto("/app/invoices")
    page.get_by_role("link", name=f"Acme {width}").click()
    page.wait_for_url(re.compile("vendor=acme"))
    page.get_by_role("link", name="Saved views").click()
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name=f"Delete Acme {width}").click()
    expect(page.get_by_text("The view was deleted.")).to_be_visible()
