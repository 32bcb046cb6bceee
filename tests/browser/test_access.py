"""Every screen for everybody: by keyboard, without scripts, in both colour schemes, wide and narrow."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.service import Served
from tests.support.thorough import LOOKS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCREENS = [
    *("/app/", "/app/send", "/app/invoices", "/app/invoices?vendor=nobody", "invoice"),
    "/app/invoices?sort=amount&level=mid&created_after=nonsense",
    *("/app/review", "/app/quality", "/app/chart", "/app/fields", "/app/vendors", "/app/invoices/views", "/app/export"),
    *("/app/account", "/app/people", "/app/people/invite", "/app/devices", "/app/audit"),
    *("/app/enter", "/app/sign-in?again=1", "/app/enter#token"),
]

# Rules that axe does not use unless it is told to.
MORE_RULES = ("target-size", "p-as-heading")


def path_of(screen: str, service: Served) -> str:
    return service.invoice if screen == "invoice" else screen


def violations(page: Page, axe: str) -> list[str]:
    """What axe finds: by the rules of WCAG, those that it leaves out by default included, and by best practices."""
    # axe takes all of a disabled fieldset for disabled. Only fields are; what scrolls is reached with the keyboard.
    page.evaluate(
        """for (const region of document.querySelectorAll('fieldset:disabled [role=region][tabindex="0"]')) {
          region.focus();
          if (document.activeElement === region) region.style.overflow = "visible";
        }"""
    )
    page.evaluate(axe)
    # All that it tried is megabytes, which would take longer to come here than to find.
    found = page.evaluate(
        "rules => axe.run(document, { rules }).then(found => found.violations)",
        {rule: {"enabled": True} for rule in MORE_RULES},
    )
    return [
        f"{each['id']}: {node['html'][:150]} {[check['message'] for check in node['any']][:1]}"
        for each in found
        for node in each["nodes"]
    ]


def faults(page: Page, axe: str) -> list[str]:
    """Violations, and whether the page scrolls sideways."""
    scrolls = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return violations(page, axe) + ["the page scrolls sideways"] * scrolls


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_no_screen_violates_wcag(visit: Visit, service: Served, axe: str, width: int, scheme: str) -> None:
    page = visit(width=width, scheme=scheme)
    found = {}
    for screen in SCREENS:
        page.goto(path_of(screen, service))
        found[screen] = faults(page, axe)
    assert {screen: each for screen, each in found.items() if each} == {}


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_an_operator_without_an_account_sees_the_deployment_and_nothing_else(
    visit: Visit, axe: str, width: int, scheme: str
) -> None:
    page = visit("/app/", "operator", width=width, scheme=scheme, refusals=1)
    page.wait_for_url("**/app/operator")
    for path in (
        "/app/operator",
        "/app/operator/accounts",
        "/app/operator/folders",
        "/app/operator/models",
        "/app/devices",
    ):
        page.goto(path)
        assert faults(page, axe) == [], path
    page.goto("/app/invoices")
    expect(page.get_by_text("You belong to no account.")).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_neither_does_the_page_of_models_with_what_candidates_change(
    visit: Visit, axe: str, width: int, scheme: str
) -> None:
    page = visit("/app/operator/models", "engineer", width=width, scheme=scheme)
    for shown in ("Changes by field", "Earlier canaries", re.compile("Differences of")):
        expect(page.get_by_role("region", name=shown)).to_be_visible()
    assert faults(page, axe) == []


def test_the_check_would_find_a_violation(visit: Visit, axe: str) -> None:
    page = visit("/app/send")
    page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    assert any(each.startswith("label:") for each in violations(page, axe))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_neither_does_the_palette_nor_an_empty_account(visit: Visit, axe: str, scheme: str) -> None:
    page = visit("/app/", "newcomer", scheme=scheme)
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option").first).to_be_visible()
    assert violations(page, axe) == []


def test_the_palette_leads_to_an_invoice_by_keyboard_alone(visit: Visit) -> None:
    page = visit("/app/send")
    page.keyboard.press("Control+k")
    page.keyboard.type("4638")
    expect(page.get_by_role("option").first).to_contain_text("Ewing & Kennedy LLC")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ewing & Kennedy LLC")
    # The heading is drawn before the page's scripts run; they show this button.
    expect(page.get_by_role("button", name="Search")).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("overd")
    expect(page.get_by_role("option").first).to_contain_text("Overdue invoices")
    page.keyboard.press("Enter")
    page.wait_for_url("**/app/invoices?overdue=true")


def test_lists_and_invoices_work_without_scripts(visit: Visit, service: Served) -> None:
    page = visit("/app/invoices", scripts=False)
    page.get_by_role("searchbox", name="Vendor", exact=True).fill("ewing")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("td.title a")).to_have_count(1)
    page.locator("td.title a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ewing & Kennedy LLC")
    page.get_by_role("button", name="Mark as paid").click()
    expect(page.get_by_text("1 invoice marked as paid.")).to_be_visible()
    page.get_by_role("button", name="Mark as unpaid").click()
    expect(page.get_by_role("button", name="Mark as paid")).to_be_visible()


def test_a_viewer_looks_and_has_no_buttons(visit: Visit, service: Served) -> None:
    page = visit(service.invoice, "viewer")
    expect(page.get_by_role("heading", name="Extracted values")).to_be_visible()
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)


def test_the_menu_opens_on_a_phone(visit: Visit) -> None:
    page = visit("/app/", width=360)
    expect(page.get_by_role("link", name="Vendors").locator("visible=true")).to_have_count(0)
    page.locator(".drawer summary").click()
    page.locator(".drawer").get_by_role("link", name="Invoices", exact=True).click()
    page.wait_for_url("**/app/invoices")
