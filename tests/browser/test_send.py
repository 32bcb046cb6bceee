"""Sending documents from a browser."""

import os
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from serve_app.web.cookies import SESSION
from tests.browser.conftest import BlankPages, Visit, settings_in
from tests.browser.service import served
from tests.browser.test_access import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PDF = b"%PDF-1.7\n1 0 obj\n"
DROP = """([type, name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name, {type: "application/pdf"}));
    const event = type === "paste" ? new ClipboardEvent(type, {clipboardData: data, bubbles: true})
        : new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true});
    document.querySelector("main").dispatchEvent(event);
}"""


@pytest.mark.parametrize("way", ["drop", "paste"])
def test_what_is_dropped_or_pasted_anywhere_is_sent_and_followed_to_its_result(visit: Visit, way: str) -> None:
    page = visit("/app/send")
    page.evaluate(DROP, [way, f"{way}ped.pdf", PDF.decode()])
    row = page.locator(".sent-file").filter(has_text=f"{way}ped.pdf")
    expect(row).to_be_visible()
    expect(row.get_by_text("Dropped GmbH, 12.50 EUR")).to_be_visible()
    expect(page.locator(".uploads li")).to_have_count(0)


def test_what_waits_says_its_place_in_the_queue(browser: Browser, tmp_path: Path, axe: str) -> None:
    with served(settings_in(tmp_path), BlankPages(), reads=False) as service:
        page = browser.new_page(base_url=service.url, viewport={"width": 360, "height": 900})
        secure = service.url.replace("http:", "https:")
        page.context.add_cookies([{"name": SESSION, "value": service.cookies["owner"], "url": secure}])
        page.goto("/app/send")
        files: list[FilePayload] = [
            {"name": f"waits-{number}.pdf", "mimeType": "application/pdf", "buffer": PDF} for number in (1, 2)
        ]
        page.locator("#choose").set_input_files(files)
        rows = page.locator(".sent-file")
        for number in (1, 2):
            expect(rows.filter(has_text=f"waits-{number}.pdf")).to_contain_text(re.compile(r"Place \d in the queue"))
        steps = rows.filter(has_text="waits-2.pdf").get_by_role("list", name="Its way").get_by_role("listitem")
        expect(steps).to_have_text(["Waiting", "Reading", "Two models", "Done"])
        expect(steps.first).to_have_attribute("aria-current", "step")
        assert violations(page, axe) == []
        page.context.close()


def test_several_files_are_sent_one_by_one_and_errors_say_what_to_do(visit: Visit) -> None:
    page = visit("/app/send", refusals=1)
    files: list[FilePayload] = [
        {"name": "one.pdf", "mimeType": "application/pdf", "buffer": PDF},
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"hello"},
        {"name": "two.pdf", "mimeType": "application/pdf", "buffer": PDF},
    ]
    page.locator("#choose").set_input_files(files)
    for name in ("one.pdf", "two.pdf"):
        expect(page.locator(".sent-file").filter(has_text=name)).to_be_visible(timeout=60_000)
    refused = page.locator(".uploads li")
    expect(refused).to_have_count(1)
    expect(refused).to_contain_text("notes.txt")
    expect(refused).to_contain_text("Print it to a PDF")
    expect(refused.get_by_role("button", name="Send again")).to_be_visible()


def test_the_start_page_takes_documents_too(visit: Visit) -> None:
    page = visit("/app/")
    page.evaluate(DROP, ["drop", "from-start.pdf", PDF.decode()])
    expect(page.locator(".uploads li")).to_have_count(0)
    page.goto("/app/send")
    expect(page.locator(".sent-file").filter(has_text="from-start.pdf")).to_be_visible()


def drop_from_the_desktop(page: Page, *paths: Path) -> None:
    """As a person drags files or folders out of a file manager."""
    client = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        client.send("Input.dispatchDragEvent", {"type": kind, "x": 150, "y": 300, "data": data})


def test_a_folder_dropped_on_any_page_is_sent_with_all_that_is_in_it(visit: Visit, tmp_path: Path) -> None:
    inner = tmp_path / "bills" / "may"
    inner.mkdir(parents=True)
    (tmp_path / "bills" / "in-folder.pdf").write_bytes(PDF)
    (inner / "deeper.pdf").write_bytes(PDF)
    (inner / ".DS_Store").write_bytes(b"x")
    page = visit("/app/vendors")
    drop_from_the_desktop(page, tmp_path / "bills")
    tray = page.get_by_role("list", name="Files on their way")
    expect(tray.get_by_role("link")).to_have_count(2, timeout=15_000)
    expect(tray).to_contain_text("deeper.pdf was sent")
    assert page.url.endswith("/app/vendors")
    tray.get_by_role("button", name="Close").first.click()
    tray.get_by_role("button", name="Close").first.click()
    expect(tray).to_be_hidden()


@pytest.mark.parametrize("width", [360, 1280])
def test_a_zip_dropped_on_any_page_is_unpacked(visit: Visit, tmp_path: Path, width: int, axe: str) -> None:
    path = tmp_path / f"all-{width}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (("zipped-1.pdf", PDF), ("zipped-2.pdf", PDF + b"2"), ("notes.bin", b"\1\2")):
            archive.writestr(name, data)
    page = visit("/app/invoices", width=width)
    drop_from_the_desktop(page, path)
    tray = page.get_by_role("list", name="Files on their way")
    expect(tray).to_contain_text("2 documents sent", timeout=15_000)
    expect(tray).to_contain_text("notes.bin: It is a file of an unknown kind.")
    assert violations(page, axe) == []
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/tray-{width}.png")


def test_a_newcomer_tries_the_sample(visit: Visit) -> None:
    page = visit("/app/", "newcomer")
    page.get_by_role("button", name="Try the sample").click()
    row = page.locator(".sent-file").filter(has_text="sample-invoice.pdf")
    expect(row).to_be_visible()
    expect(row.get_by_text(re.compile("Dropped GmbH"))).to_be_visible()


def test_the_form_works_without_scripts(visit: Visit) -> None:
    page = visit("/app/send", scripts=False)
    page.locator("#choose").set_input_files({"name": "plain.pdf", "mimeType": "application/pdf", "buffer": PDF})
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_text("1 document sent.")).to_be_visible()
    expect(page.locator(".sent-file").filter(has_text="plain.pdf")).to_be_visible()
