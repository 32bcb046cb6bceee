"""Orders are imported and closed by keyboard, in a browser."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.test_access import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HEADER = "number,vendor,currency,quantity,unit_price,description\n"


@pytest.mark.parametrize(
    ("width", "scheme", "scripts"), [(1280, "light", True), (360, "dark", True), (360, "light", False)]
)
def test_orders_are_imported_and_closed_by_keyboard(
    visit: Visit, axe: str, tmp_path: Path, width: int, scheme: str, scripts: bool
) -> None:
    number = f"PO-{width}-{scheme}"
    file = tmp_path / "orders.csv"
    file.write_text(f"{HEADER}{number},Northwind Traders Inc.,EUR,10,25.00,Oak desk\n")

    def check() -> None:
        if scripts:
            assert violations(page, axe) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page = visit("/app/orders/import", "owner", width=width, scheme=scheme, scripts=scripts)
    check()
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Preview").press("Enter")
    expect(page.get_by_text("1 new, 0 changed, 0 unchanged orders.")).to_be_visible()
    check()
    page.get_by_role("button", name="Import").press("Enter")
    expect(page.get_by_text("1 new and 0 changed orders imported.")).to_be_visible()
    check()
    page.get_by_role("link", name=number).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Order {number}")
    check()
    page.get_by_role("button", name="Close order").press("Enter")
    expect(page.get_by_text("The order is closed.")).to_be_visible()
    page.goto(page.url.partition("/app/")[0] + "/app/orders/rules")
    check()


def test_errors_of_a_file_are_named_by_line(visit: Visit, axe: str) -> None:
    page = visit("/app/orders/import", "owner", refusals=None)
    page.get_by_label("Or paste its lines").fill(f"{HEADER}PO-9,Norvik,EUR,ten,1,\n")
    page.get_by_role("button", name="Preview").press("Enter")
    expect(page.get_by_text("Line 2: The quantity 'ten' is not a number.")).to_be_visible()
    assert violations(page, axe) == []
