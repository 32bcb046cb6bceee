"""Sending documents from a browser."""

import re

import pytest
from playwright.sync_api import FilePayload, expect

from tests.browser.conftest import Visit

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


def test_several_files_are_sent_one_by_one_and_errors_say_what_to_do(visit: Visit) -> None:
    page = visit("/app/send", refusals=1)
    files: list[FilePayload] = [
        {"name": "one.pdf", "mimeType": "application/pdf", "buffer": PDF},
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"hello"},
        {"name": "two.pdf", "mimeType": "application/pdf", "buffer": PDF},
    ]
    page.locator("#choose").set_input_files(files)
    for name in ("one.pdf", "two.pdf"):
        expect(page.locator(".sent-file").filter(has_text=name)).to_be_visible()
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
