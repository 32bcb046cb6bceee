"""The review screen by keyboard: nothing is decided that nobody has seen, and no key does what it is not meant for."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import BlankPages, Visit, settings_in
from tests.browser.service import Served, served
from tests.browser.test_review import field, saved

pytestmark = [pytest.mark.browser, pytest.mark.slow]
OpenReview = Callable[..., Page]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A pile of invoices of its own."""
    with served(settings_in(tmp_path_factory.mktemp("keys")), BlankPages(), pile=24) as service:
        yield service


@pytest.fixture
def open_review(visit: Visit, service: Served) -> OpenReview:
    """Opens the first invoice that waits, ready to work on."""

    def open_page(person: str = "clerk", *, width: int = 1280, refusals: int | None = 0) -> Page:
        page = visit("/app/review?order=age", person, width=width, refusals=refusals)
        page.locator("#content").get_by_role("link", name="Start").click()
        ready(page)
        return page

    return open_page


def ready(page: Page) -> None:
    expect(page.locator("#review-screen")).to_have_attribute("data-words", "all")
    expect(page.locator("#review-screen")).to_have_attribute("data-drawn", "")


def decided(page: Page) -> int:
    """On how many invoices people have decided."""
    text = page.evaluate("async () => (await fetch('/app/review')).text()")
    found = re.search(r"<b>(\d+)</b> of \d+ decided today", text)
    assert found is not None
    return int(found[1])


def hold(page: Page, key: str, times: int = 40, pause: int = 30) -> None:
    """Press a key, and keep it down for as long as it takes to repeat so often."""
    for _ in range(times):
        page.keyboard.down(key)
        page.wait_for_timeout(pause)
    page.keyboard.up(key)


def accept_all(page: Page) -> None:
    """Press Enter until the button that confirms has the focus."""
    for _ in range(30):
        if page.evaluate("document.activeElement.dataset.act === 'confirm'"):
            return
        page.keyboard.press("Enter")
    raise AssertionError("Enter does not come to an end")


def test_a_held_enter_confirms_nothing_unseen(open_review: OpenReview) -> None:
    page = open_review()
    before, first = decided(page), page.url
    hold(page, "Enter")
    assert (decided(page), page.url) == (before, first)
    accept_all(page)
    hold(page, "Enter")
    page.wait_for_url(lambda url: url != first)
    ready(page)
    assert decided(page) == before + 1
    # The key is pressed anew: it passes the first value of the next invoice, and does not confirm it.
    second = page.url
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert (decided(page), page.url) == (before + 1, second)


@pytest.mark.parametrize("keys", ["Control+Enter", "Control+Shift+Enter"])
def test_held_command_keys_decide_on_one_invoice(open_review: OpenReview, keys: str) -> None:
    page = open_review()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method != "GET" else None)
    before, first = decided(page), page.url
    *modifiers, key = keys.split("+")
    for modifier in modifiers:
        page.keyboard.down(modifier)
    hold(page, key, times=60)
    for modifier in modifiers:
        page.keyboard.up(modifier)
    ready(page)
    assert page.url != first
    assert decided(page) == before + (keys == "Control+Enter")
    assert len([url for url in asked if url.endswith(("/data", "/later"))]) == 1
    # A press of its own decides on the next one.
    second = page.url
    page.keyboard.press(keys)
    page.wait_for_url(lambda url: url != second)
    ready(page)


def test_a_key_that_was_pressed_before_the_page_was_there_decides_nothing(open_review: OpenReview) -> None:
    page = open_review()
    before, path = decided(page), page.url
    page.goto("/app/review")
    page.keyboard.down("Control")
    page.keyboard.down("Enter")
    page.goto(path)
    for _ in range(20):
        page.keyboard.down("Enter")
        page.wait_for_timeout(20)
    ready(page)
    page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.keyboard.up("Control")
    page.wait_for_timeout(300)
    assert (decided(page), page.url) == (before, path)


@pytest.mark.parametrize("clicks", [2, 3])
def test_a_double_click_confirms_one_invoice(open_review: OpenReview, clicks: int) -> None:
    page = open_review()
    before, first = decided(page), page.url
    page.get_by_role("button", name="Confirm").click(click_count=clicks)
    page.wait_for_url(lambda url: url != first)
    ready(page)
    assert decided(page) == before + 1


def test_two_quick_presses_are_one_decision(open_review: OpenReview) -> None:
    page = open_review()
    before, first = decided(page), page.url
    page.evaluate(
        """() => {
            for (let press = 0; press < 5; press += 1) {
                const key = new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true });
                document.activeElement.dispatchEvent(key);
                document.querySelector("[data-act=confirm]").click();
            }
        }"""
    )
    page.wait_for_url(lambda url: url != first)
    ready(page)
    assert decided(page) == before + 1


def test_an_invoice_that_another_window_has_confirmed_is_left_quietly(open_review: OpenReview, visit: Visit) -> None:
    page = open_review(refusals=1)
    first = page.url
    other = visit(first, "clerk")
    ready(other)
    other.keyboard.press("Control+Enter")
    other.wait_for_url(lambda url: url != first)
    page.bring_to_front()
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url(lambda url: url != first)
    expect(page.locator(".conflict")).to_be_hidden()


def test_what_is_typed_after_reject_is_the_reason(open_review: OpenReview) -> None:
    page = open_review()
    before, first = decided(page), page.url
    value = field(page, "vendor").input_value()
    page.locator("summary", has_text="Reject").press("Enter")
    # Letters that are keys of the screen, and an empty reason before.
    expect(page.locator("#reject-reason")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#reject-reason")).to_be_focused()
    assert decided(page) == before
    page.keyboard.type("wrong firm? +-0 npl", delay=5)
    expect(page.locator("#reject-reason")).to_have_value("wrong firm? +-0 npl")
    expect(field(page, "vendor")).to_have_value(value)
    assert page.locator("dialog[open]").count() == 0
    assert page.locator(".face").first.get_attribute("transform") is None
    page.keyboard.press("Alt+2")
    page.keyboard.press("Control+Enter")
    page.wait_for_timeout(200)
    if page.url == first:
        page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != first)
    page.goto(first)
    expect(page.get_by_text(re.compile("Rejected by .*: wrong firm"))).to_be_visible()


def test_reject_is_left_by_escape_and_by_going_elsewhere(open_review: OpenReview) -> None:
    page = open_review()
    reject = page.locator("summary", has_text="Reject")
    reject.click()
    page.keyboard.type("no")
    page.keyboard.press("Escape")
    expect(page.locator("#reject-reason")).to_be_hidden()
    expect(reject).to_be_focused()
    reject.click()
    field(page, "tax").focus()
    expect(page.locator("#reject-reason")).to_be_hidden()
    field(page, "tax").select_text()
    page.keyboard.type("32")
    page.keyboard.press("Enter")
    expect(field(page, "tax")).to_have_value("32.00")
    saved(page)


def test_enter_passes_every_field_in_doubt(open_review: OpenReview) -> None:
    page = open_review()
    page.evaluate(
        """() => document.querySelector('.entry[data-field="document_type"]').closest("details").open = true"""
    )
    field(page, "document_type").focus()
    page.keyboard.press("Enter")
    expect(field(page, "document_type")).not_to_be_focused()
    page.evaluate(
        """() => document.querySelector('.entry[data-field="document_type"]').closest("details").open = false"""
    )
    accept_all(page)
    saved(page)
    # Other tests need an invoice with something in doubt.
    first = page.url
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != first)


def test_one_who_comes_back_after_a_crash_goes_on(open_review: OpenReview, visit: Visit) -> None:
    page = open_review()
    path = page.url
    field(page, "tax").focus()
    # The tab is gone without a word.
    page.evaluate("navigator.sendBeacon = () => true")
    page.context.close()
    again = visit(path, "clerk")
    ready(again)
    expect(field(again, "tax")).to_be_enabled()
    expect(again.locator(".lease")).to_be_hidden()
    colleague = visit(path, "colleague")
    expect(colleague.locator(".lease")).to_contain_text("has this invoice open")
    expect(field(colleague, "tax")).to_be_disabled()


@pytest.mark.parametrize(("width", "height"), [(360, 740), (640, 400)])
def test_on_a_small_or_magnified_screen_neither_picture_nor_bar_covers_a_field(
    visit: Visit, service: Served, width: int, height: int
) -> None:
    page = visit(service.pile[-1], "clerk")
    page.set_viewport_size({"width": width, "height": height})
    ready(page)
    for name in ("amount", "currency", "vendor"):
        page.evaluate("name => document.getElementById(`f-${name}`).focus()", name)
        page.wait_for_timeout(100)
        boxes = page.evaluate(
            """name => [".paper", `#f-${name}`, ".screen-foot", ".bar"].map((what) => {
                const { top, bottom } = document.querySelector(what).getBoundingClientRect();
                return [top, bottom];
            })""",
            name,
        )
        paper, field_box, foot, bar = boxes
        assert paper[1] <= field_box[0] + 1, (name, boxes)
        assert field_box[1] <= foot[0] + 1, (name, boxes)
        assert bar[1] <= max(paper[0], 0) + 1, (name, boxes)
        assert paper[1] - max(paper[0], 0) >= 100
        assert foot[1] - foot[0] <= 70
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_saved_is_said_without_moving_the_page(open_review: OpenReview) -> None:
    page = open_review()
    places = """() => [...document.querySelectorAll(".paper, .fields, h1, .screen-head .button")].map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [x, y, width, height].map(Math.round).join(" ");
    })"""
    before = page.evaluate(places)
    for state in ("saving", "saved", "away", "signed-out", "refused"):
        page.evaluate(
            """state => {
                const saving = document.querySelector(".saving");
                saving.dataset.state = state;
                const text = "Not saved: the service does not answer. Trying again.";
                saving.textContent = text.slice(0, state.startsWith("sav") ? 8 : 50);
            }""",
            state,
        )
        assert page.evaluate(places) == before, state
