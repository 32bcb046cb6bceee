"""The list of invoices and the page of one, in a browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from serve_app.domain.folding import folded
from tests.browser.conftest import Visit
from tests.browser.service import Served
from tests.browser.test_access import violations
from tests.support.thorough import THOROUGH

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def titles(page: Page) -> list[str]:
    return page.locator("td.title a").all_inner_texts()


def test_typing_in_a_filter_changes_the_list_and_the_address(visit: Visit) -> None:
    page = visit("/app/invoices")
    before = len(titles(page))
    page.get_by_role("searchbox", name="Vendor", exact=True).fill("acme")
    page.wait_for_url(re.compile(r"vendor=acme$"))
    expect(page.locator("td.title a").first).to_have_text("Acme Supplies Ltd")
    assert 0 < len(titles(page)) < before
    expect(page.locator("#tabs [aria-current]")).to_have_count(0)
    page.locator("#f-paid").select_option("false")
    page.wait_for_url(re.compile(r"vendor=acme&paid=false$"))
    page.reload()
    assert set(titles(page)) == {"Acme Supplies Ltd"}


def test_going_back_shows_the_list_as_it_was(visit: Visit) -> None:
    page = visit("/app/invoices")
    before = titles(page)
    page.get_by_role("searchbox", name="Vendor", exact=True).fill("acme")
    page.wait_for_url(re.compile("vendor=acme"))
    page.go_back()
    page.wait_for_url(re.compile(r"/app/invoices$"))
    expect(page.locator("td.title a")).to_have_count(len(before))


def test_selecting_shows_exact_sums_and_what_can_be_done(visit: Visit) -> None:
    page = visit("/app/invoices?vendor=acme&number=7788&status=complete")
    acts = page.get_by_role("group", name="Actions for the selected invoices")
    expect(acts).to_be_hidden()
    boxes = page.locator('input[name="id"]')
    boxes.nth(0).check()
    expect(acts).to_be_visible()
    boxes.nth(1).click(modifiers=["Shift"])
    expect(page.locator("[data-count]")).to_have_text("2 selected")
    expect(page.locator("[data-sums]")).to_have_text(re.compile(r"2,381\.00"))
    page.get_by_role("checkbox", name=re.compile("All matching invoices")).check()
    expect(page.locator("[data-count]")).to_have_text("All that match")


def test_selected_invoices_are_tagged_with_the_keyboard(visit: Visit) -> None:
    page = visit("/app/invoices?number=7788")
    page.locator('input[name="id"]').first.focus()
    page.keyboard.press("Space")
    page.locator(".acts summary", has_text="Tag").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Tag (empty removes it)").fill("keyboard")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="tagged")).to_have_text(re.compile("1 invoice tagged “keyboard”"))
    expect(page.locator(".c-tag").first).to_have_text("keyboard")


def test_a_deletion_is_undone_or_carried_out_while_one_looks(visit: Visit, axe: str) -> None:
    page, other = visit("/app/invoices?status=failed"), visit("/app/invoices?status=failed")
    count = len(titles(page))
    page.locator('input[name="id"]').first.check()
    page.get_by_role("button", name="Delete").click()
    notice = page.get_by_role("status").filter(has_text="1 invoice is deleted permanently")
    expect(notice).to_contain_text(re.compile(r"in \d+ s"))
    assert violations(page, axe) == []
    other.reload()
    other.get_by_role("button", name="Undo").click()
    expect(other.get_by_text("Nothing was deleted.")).to_be_visible()
    # The first window notices by itself.
    expect(notice).to_have_count(0)
    expect(page.locator("td.title a")).to_have_count(count)
    page.locator('input[name="id"]').first.check()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("td.title a")).to_have_count(count - 1, timeout=30_000)


def test_a_list_is_sorted_by_its_headings_and_on_a_phone_by_its_filters(visit: Visit) -> None:
    page = visit("/app/invoices?status=complete")
    page.get_by_role("columnheader", name="Amount").get_by_role("link").click()
    page.wait_for_url(re.compile("sort=amount"))
    expect(page.get_by_role("columnheader", name="Amount")).to_have_attribute("aria-sort", "ascending")
    phone = visit("/app/invoices", width=360)
    phone.get_by_text("More filters").click()
    phone.get_by_label("Order").select_option("vendor")
    phone.wait_for_url(re.compile("sort=vendor"))
    # What has no vendor stands at the end, under the name of its file; accents do not count.
    found = [folded(title) for title in titles(phone) if not title.endswith(".pdf")]
    assert found == sorted(found)


def test_a_list_is_filtered_by_level_and_models(visit: Visit) -> None:
    page = visit("/app/invoices")
    page.get_by_text("More filters").click()
    page.locator("#f-level").select_option("mid")
    page.wait_for_url(re.compile("level=mid"))
    mid = titles(page)
    assert mid
    page.locator("#f-level").select_option("")
    page.locator("#f-models").select_option(index=1)
    page.wait_for_url(re.compile("models="))
    expect(page.locator("td.title a")).to_have_text(["Ewing & Kennedy LLC"])


def test_hovering_a_value_shows_its_place_and_hovering_a_place_its_value(visit: Visit, service: Served) -> None:
    page = visit(service.invoice)
    page.locator('.value[data-key="amount"]').hover()
    expect(page.locator('rect[data-key="amount"]')).to_have_class(re.compile("is-shown"))
    expect(page.locator("rect.is-shown")).to_have_count(1)
    box = page.locator('rect[data-key="invoice_number"]').bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator('.value[data-key="invoice_number"]')).to_have_class(re.compile("is-shown"))
    expect(page.locator('.value[data-key="amount"]')).not_to_have_class(re.compile("is-shown"))


def test_places_lie_exactly_over_the_picture(visit: Visit, service: Served) -> None:
    page = visit(service.invoice)
    for _ in range(2):
        picture, places = (page.locator(f".sheet {each}").bounding_box() for each in ("img", "svg"))
        assert picture == places
        page.get_by_role("button", name="Larger").click()


def test_the_keyboard_shows_places_too(visit: Visit, service: Served) -> None:
    page = visit(service.invoice)
    page.get_by_role("link", name="Show Amount on page 1").focus()
    expect(page.locator('rect[data-key="amount"]')).to_have_class(re.compile("is-shown"))
    place = page.locator('rect[data-key="amount"]').bounding_box()
    sheets = page.locator(".sheets").bounding_box()
    assert place is not None
    assert sheets is not None
    assert sheets["y"] <= place["y"] <= sheets["y"] + sheets["height"]


def test_the_next_invoice_comes_without_a_full_reload(visit: Visit, service: Served) -> None:
    page = visit(service.invoice)
    page.evaluate("window.stays = true")
    first = page.locator("h1").inner_text()
    page.get_by_role("link", name="Next invoice").click()
    expect(page.locator("h1")).not_to_have_text(first)
    assert page.evaluate("window.stays") is True
    assert service.invoice not in page.url
    page.go_back()
    expect(page.locator("h1")).to_have_text(first)


def test_many_invoices_in_a_row_leave_nothing_behind(visit: Visit, service: Served) -> None:
    page = visit(service.invoice)
    session = page.context.new_cdp_session(page)

    def heap() -> float:
        session.send("HeapProfiler.collectGarbage")
        return float(page.evaluate("performance.memory.usedJSHeapSize"))

    def go_round(times: int) -> None:
        for _ in range(times):
            page.evaluate(
                "path => htmx.ajax('GET', path, {target: '#content', select: '#content', swap: 'outerHTML'})",
                service.invoice,
            )

    go_round(20)
    before = heap()
    go_round(280 if THOROUGH else 80)
    assert heap() < before + 1_000_000
    assert page.locator(".sheet").count() == 1
