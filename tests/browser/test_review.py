"""Decisions on invoices, in a browser."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Visit
from tests.browser.service import Served
from tests.browser.test_access import violations
from tests.support.thorough import LOOKS

pytestmark = [pytest.mark.browser, pytest.mark.slow]
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def unused(service: Served) -> Iterator[str]:
    """Invoices that no test has touched; the newest first, as the list goes on to older ones."""
    return iter(list(reversed(service.pile)))


@pytest.fixture
def open_next(visit: Visit, unused: Iterator[str]) -> Open:
    """Opens an invoice with three values in doubt, ready to work on."""

    def open_one(person: str = "clerk", *, width: int = 1280, path: str = "", refusals: int | None = 0) -> Page:
        page = visit(path or next(unused), person, width=width, refusals=refusals)
        expect(page.locator("#review-screen")).to_have_attribute("data-words", "all")
        return page

    return open_one


def field(page: Page, name: str) -> Locator:
    return page.locator(f"#f-{name}")


def saved(page: Page) -> None:
    expect(page.locator(".saving")).to_have_text("Saved")


def click_word(page: Page, text: str, modifiers: str = "") -> None:
    """Click on a word of the page, where its box is."""
    found = page.evaluate(
        """text => fetch(location.pathname + "/words/1").then(answer => answer.json())
            .then(page => page.words.find(word => word.text === text))""",
        text,
    )
    x0, y0, x1, y1 = found["box"]
    leaf = page.locator(".leaf").bounding_box()
    assert leaf is not None
    page.locator(".leaf").click(
        position={"x": (x0 + x1) / 2 * leaf["width"], "y": (y0 + y1) / 2 * leaf["height"]},
        modifiers=["Shift"] if modifiers else [],
    )


def test_three_doubtful_fields_are_decided_by_keyboard_alone(open_next: Open) -> None:
    page = open_next()
    page.evaluate("window.stays = true")
    first = page.url
    expect(field(page, "vendor")).to_be_focused()
    expect(page.locator("rect.spot")).to_have_count(1)
    page.keyboard.press("Alt+2")
    expect(field(page, "issued_at")).to_be_focused()
    page.keyboard.type("30 April 2019")
    page.keyboard.press("Enter")
    expect(field(page, "issued_at")).to_have_value("30 Apr 2019")
    expect(field(page, "amount")).to_be_focused()
    page.keyboard.type("380,34")
    expect(page.locator(".sums .misses")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Confirm")).to_be_focused()
    saved(page)
    answer = page.evaluate("async () => (await fetch(location.pathname + '/data')).json()")
    assert answer["fields"]["amount"]["citation"]["text"] == "USD380.34"
    assert answer["fields"]["vendor"]["value"] == "Ewing & Kennedy LLC"
    page.keyboard.press("Control+Enter")
    expect(field(page, "vendor")).to_have_value("Digital Benson Co.")
    assert page.url != first
    assert page.evaluate("window.stays") is True
    expect(field(page, "vendor")).to_be_focused()
    page.goto(first)
    expect(page.get_by_text("Confirmed by clerk@example.com")).to_be_visible()


def test_the_same_by_mouse(open_next: Open) -> None:
    page = open_next()
    first = page.url
    click_word(page, "Ewing")
    expect(field(page, "vendor")).to_have_value("Ewing")
    click_word(page, "LLC", "Shift")
    expect(field(page, "vendor")).to_have_value("Ewing & Kennedy LLC")
    # Readings are shown while the field has the focus.
    expect(page.locator('.entry[data-field="issued_at"] [data-candidate="2"]')).to_be_hidden()
    field(page, "issued_at").click()
    page.locator('.entry[data-field="issued_at"] [data-candidate="2"]').click()
    expect(field(page, "amount")).to_be_focused()
    # A word that is no amount does nothing.
    click_word(page, "INVOICE")
    expect(field(page, "amount")).to_have_value("349.34")
    click_word(page, "USD380.34")
    expect(field(page, "amount")).to_have_value("380.34")
    saved(page)
    page.get_by_role("button", name="Undo").click()
    expect(field(page, "amount")).to_have_value("349.34")
    page.get_by_role("button", name="Redo").click()
    expect(field(page, "amount")).to_have_value("380.34")
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url(lambda url: url != first)


def test_a_table_is_repaired(open_next: Open) -> None:
    page = open_next()
    cell = page.locator('[data-table="line_items"] td input')
    expect(cell).to_have_count(25)
    cell.nth(0).focus()
    page.keyboard.press("Alt+m")
    expect(cell).to_have_count(20)
    expect(cell.nth(0)).to_have_value("Licence fee Monitor 27 inch")
    expect(cell.nth(3)).to_have_value("23.55")
    page.keyboard.press("Control+Delete")
    expect(cell.nth(0)).to_have_value("Cleaning of offices")
    expect(page.locator(".sums .misses").first).to_contain_text("Lines 263.74 USD ≠ net 287.29 USD -23.55 USD")
    cell.nth(14).focus()
    page.keyboard.press("Enter")
    expect(cell).to_have_count(20)
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.setData("text/plain", "Licence fee\\t40\\t0,48\\t19,20\\nMonitor\\t1\\t4.35\\t4.35\\n");
            const cell = document.querySelectorAll("td input")[15];
            cell.focus();
            cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }"""
    )
    expect(cell).to_have_count(25)
    expect(cell.nth(18)).to_have_value("19.20")
    expect(page.locator(".sums .holds").first).to_contain_text("Lines 287.29 USD = net 287.29 USD")
    saved(page)
    cell.nth(3).focus()
    click_word(page, "239.00")
    expect(cell.nth(3)).to_have_value("239.00")
    cell.nth(3).focus()
    page.get_by_role("button", name="Fill from a column").click()
    leaf = page.locator(".leaf").bounding_box()
    assert leaf is not None
    page.mouse.move(leaf["x"] + 0.798 * leaf["width"], leaf["y"] + 0.405 * leaf["height"])
    page.mouse.down()
    page.mouse.move(leaf["x"] + 0.85 * leaf["width"], leaf["y"] + 0.6 * leaf["height"], steps=3)
    page.mouse.up()
    expect(cell.nth(3)).to_have_value("19.20")
    expect(cell.nth(23)).to_have_value("2.39")
    saved(page)
    page.reload()
    expect(cell.nth(23)).to_have_value("2.39")


# Holds the answers to changes until they are let go, one after the other.
HOLD = """() => {
    const real = window.fetch;
    const held = [];
    window.letGo = async () => {
        while (!held.length) await new Promise((resolve) => setTimeout(resolve, 10));
        held.shift()();
    };
    window.fetch = async (address, options) => {
        const answer = await real(address, options);
        if (options?.method === "PUT") await new Promise((resolve) => held.push(resolve));
        return answer;
    };
}"""


def test_later_changes_stay_while_an_earlier_one_is_saved(open_next: Open) -> None:
    page = open_next()
    cell = page.locator('[data-table="line_items"] td input')
    expect(cell).to_have_count(25)
    page.evaluate(HOLD)
    cell.nth(0).focus()
    page.keyboard.press("Alt+m")
    page.keyboard.press("Control+Delete")
    expect(cell).to_have_count(15)
    field(page, "invoice_number").fill("C-1")
    field(page, "invoice_number").press("Tab")
    field(page, "invoice_number").fill("C-2")
    field(page, "invoice_number").press("Tab")
    shown = """() => window.letGo().then(() => new Promise((resolve) => setTimeout(resolve, 100)))
        .then(() => [document.querySelectorAll('[data-table="line_items"] td input').length,
            document.querySelector("#f-invoice_number").value])"""
    assert [page.evaluate(shown) for _ in range(3)] == [[15, "C-2"]] * 3
    saved(page)
    page.reload()
    expect(cell).to_have_count(15)
    expect(field(page, "invoice_number")).to_have_value("C-2")


def test_the_tax_of_each_rate_is_repaired(open_next: Open) -> None:
    page = open_next()
    cell = page.locator('[data-table="tax_lines"] td input')
    page.get_by_text("Tax by rate").click()
    expect(cell).to_have_count(3)
    cell.nth(2).fill("30")
    expect(page.locator(".sums .misses", has_text="Tax of all rates 30.00 USD ≠ tax 31.00 USD -1.00")).to_have_count(1)
    cell.nth(2).press("Enter")
    expect(cell).to_have_count(6)
    cell.nth(3).fill("5,5")
    cell.nth(5).fill("1")
    cell.nth(5).press("Tab")
    expect(page.locator(".sums .misses", has_text="Tax of all rates")).to_have_count(0)
    saved(page)
    page.reload()
    expect(cell.nth(3)).to_have_value("5.5")
    expect(cell.nth(5)).to_have_value("1.00")


def test_two_people_never_overwrite_each_other_unseen(open_next: Open) -> None:
    page = open_next()
    # Two saves are refused, because the review had changed.
    other = open_next("colleague", path=page.url, refusals=2)
    lease = other.locator(".lease")
    expect(lease).to_contain_text("Clerk has this invoice open.")
    expect(field(other, "tax")).to_be_disabled()
    lease.get_by_role("button", name="Take over").click()
    expect(lease).to_be_hidden()
    field(other, "tax").fill("30")
    field(other, "tax").press("Tab")
    saved(other)
    # Another field: both changes stay.
    field(page, "invoice_number").fill("46381")
    field(page, "invoice_number").press("Tab")
    saved(page)
    expect(field(page, "tax")).to_have_value("30.00")
    field(other, "invoice_number").fill("46382")
    field(other, "invoice_number").press("Tab")
    conflict = other.locator(".conflict")
    expect(conflict).to_contain_text("somebody else saved “46381” while you entered “46382”")
    expect(field(other, "invoice_number")).to_have_value("46381")
    conflict.get_by_role("button", name="Use mine").click()
    saved(other)
    expect(field(other, "invoice_number")).to_have_value("46382")
    for each in (page, other):
        each.goto("about:blank")


def test_a_draft_outlives_a_service_that_is_away_and_a_reload(open_next: Open) -> None:
    page = open_next(refusals=None)

    def refuse(route: Route) -> None:
        if route.request.method == "PUT":
            route.fulfill(status=503, json={"message": "away"})
        else:
            route.continue_()

    page.route("**/data", refuse)
    field(page, "invoice_number").fill("A-1")
    field(page, "invoice_number").press("Tab")
    expect(page.locator(".saving")).to_contain_text("Not saved")
    field(page, "tax").press_sequentially("7,5")
    page.reload()
    expect(field(page, "tax")).to_have_value(re.compile(r"7,5"))
    expect(page.locator(".saving")).to_contain_text("Not saved")
    page.unroute("**/data")
    saved(page)
    page.reload()
    expect(field(page, "invoice_number")).to_have_value("A-1")
    cookies: Any = page.context.cookies()
    page.context.clear_cookies()
    field(page, "invoice_number").fill("A-2")
    field(page, "invoice_number").press("Tab")
    expect(page.locator(".saving")).to_contain_text("you are signed out")
    expect(page.get_by_role("link", name="Sign in again")).to_be_visible()
    page.context.add_cookies(cookies)
    # Signed in again, perhaps in another tab: it is saved without being asked for.
    saved(page)
    page.reload()
    expect(field(page, "invoice_number")).to_have_value("A-2")


def test_what_is_put_off_is_saved_and_comes_again_last(open_next: Open, visit: Visit) -> None:
    page = open_next()
    first = page.url
    field(page, "invoice_number").fill("B-7")
    page.keyboard.press("Control+Shift+Enter")
    page.wait_for_url(lambda url: url != first)
    # In another browser of the same person, too.
    other = visit("/app/review?order=age", "clerk")
    assert (
        other.locator("td.title a, td.first a").last.get_attribute("href")
        == f"/app/review/{first.rpartition('/')[2]}?order=age"
    )
    page.goto(first)
    expect(field(page, "invoice_number")).to_have_value("B-7")
    expect(page.get_by_text("Confirmed by")).to_have_count(0)
    assert page.evaluate("Object.keys(sessionStorage).filter(key => key.startsWith('review:'))") == []


def test_keys_are_listed_and_letters_can_be_switched_off(open_next: Open) -> None:
    page = open_next()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keys")
    expect(sheet).to_contain_text("Ctrl Enter")
    sheet.get_by_role("checkbox").uncheck()
    sheet.get_by_role("button", name="Close").click()
    page.locator("h1").click()
    page.keyboard.press("r")
    assert page.locator(".face").first.get_attribute("transform") is None
    page.evaluate("localStorage.clear()")
    page.keyboard.press("r")
    expect(page.locator(".face").first).to_have_attribute("transform", re.compile(r"rotate\(90\)"))
    before = page.locator(".leaf").bounding_box()
    page.keyboard.press("+")
    after = page.locator(".leaf").bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] > before["width"]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_the_screen_violates_no_rule_of_wcag(visit: Visit, service: Served, axe: str, width: int, scheme: str) -> None:
    # One of the two has it, for the other it is closed.
    for person in ("clerk", "colleague"):
        page = visit(service.pile[0], person, width=width, scheme=scheme)
        expect(page.locator("#review-screen")).to_have_attribute("data-words", "all")
        # By then it is known who has it.
        page.wait_for_load_state("networkidle")
        assert violations(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"


def test_on_a_phone_a_reading_is_tapped_and_confirmed(open_next: Open) -> None:
    page = open_next(width=390)
    first = page.url
    page.locator('.entry[data-field="vendor"] [data-candidate="2"]').click()
    expect(field(page, "vendor")).to_have_value("Ewing & Kennedy LLC")
    expect(page.locator(".leaf")).to_be_in_viewport()
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url(lambda url: url != first)


def test_the_pages_follow_in_a_window_of_their_own(open_next: Open) -> None:
    page = open_next()
    page.locator("h1").click()
    page.keyboard.press("Escape")
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Pages in a separate window").click()
    other = opened.value
    expect(other.locator("rect.spot")).to_have_count(1)
    field(page, "amount").focus()
    expect(other.locator("path.lit")).to_have_attribute("d", re.compile("^M"))
    leaf = other.locator(".leaf").bounding_box()
    assert leaf is not None
    other.locator(".leaf").click(position={"x": 0.83 * leaf["width"], "y": 0.685 * leaf["height"]})
    expect(field(page, "amount")).to_have_value("380.34")
