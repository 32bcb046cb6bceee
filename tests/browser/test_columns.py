"""Columns that are as wide as the person wants."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.service import Served
from tests.browser.test_access import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TABLES = [
    ("/app/invoices", "Vendor", "owner"),
    ("/app/mail", "From", "owner"),
    ("/app/vendors", "Vendor", "owner"),
    ("review", "Description", "clerk"),
]


def path_of(table: str, service: Served) -> str:
    return service.pile[3] if table == "review" else table


def handle(page: Page, column: str) -> Locator:
    return page.get_by_role("separator", name=f"Width of {column}", exact=True).first


def width(page: Page, column: str) -> float:
    """Of the column of a handle."""
    return float(handle(page, column).evaluate("handle => handle.parentElement.getBoundingClientRect().width"))


@pytest.mark.parametrize(("table", "column", "person"), TABLES)
def test_columns_are_resized_by_keyboard_and_stay_so(
    visit: Visit, service: Served, axe: str, table: str, column: str, person: str
) -> None:
    page = visit(path_of(table, service), person)
    before = width(page, column)
    handle(page, column).focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert width(page, column) == pytest.approx(before + 64, abs=2)
    expect(handle(page, column)).to_have_attribute("aria-valuenow", str(round(before + 64)))
    expect(handle(page, column)).to_be_focused()
    assert violations(page, axe) == []
    page.reload()
    expect(handle(page, column)).to_be_visible()
    assert width(page, column) == pytest.approx(before + 64, abs=2)
    handle(page, column).focus()
    page.keyboard.press("Delete")
    assert width(page, column) == pytest.approx(before, abs=2)


def test_the_widths_are_there_before_other_scripts_run(visit: Visit) -> None:
    page = visit("/app/vendors")
    handle(page, "Vendor").focus()
    page.keyboard.press("ArrowRight")
    wanted = width(page, "Vendor")
    page.route("**/shell/columns.js", lambda route: route.fulfill(body="export {}", content_type="text/javascript"))
    page.reload()
    assert page.get_by_role("separator").count() == 0
    heading = page.locator('th[data-column="Vendor"]').bounding_box()
    assert heading is not None
    assert heading["width"] == pytest.approx(wanted, abs=2)


def test_a_column_follows_the_pointer_and_fits_its_texts_on_a_double_click(visit: Visit) -> None:
    page = visit("/app/invoices")
    box, before = handle(page, "Vendor").bounding_box(), width(page, "Vendor")
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y, steps=4)
    page.mouse.up()
    assert width(page, "Vendor") == pytest.approx(before - 60, abs=4)
    page.mouse.move(x, y)
    assert width(page, "Vendor") == pytest.approx(before - 60, abs=4), "it was let go"
    for is_key in (False, True):
        handle(page, "Vendor").press("Home")
        if is_key:
            handle(page, "Vendor").press("Enter")
        else:
            handle(page, "Vendor").dblclick()
        fits = "cell => cell.getBoundingClientRect().height < 2 * parseFloat(getComputedStyle(cell).lineHeight)"
        assert all(each.evaluate(fits) for each in page.locator("td.title a").all())


def test_numbers_are_never_cut_off(visit: Visit) -> None:
    page = visit("/app/invoices")
    handle(page, "Amount").press("Home")
    cut = "cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length"
    assert page.locator("td.c-amount").evaluate_all(cut) == 0


def test_a_phone_has_no_columns(visit: Visit) -> None:
    page = visit("/app/invoices", width=360)
    expect(page.locator("td.title").first).to_be_visible()
    assert page.locator(".column-handle:visible").count() == 0
