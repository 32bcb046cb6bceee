"""Electronic invoices on whatever way they come end as invoices with a page that people see."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from serve_app.documents.einvoice import einvoice_file
from serve_app.documents.options import ReadOptions
from serve_app.documents.packing import pack
from serve_app.documents.pictures import show_page
from serve_app.documents.reader import read_document
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.packed import PagesRead
from serve_app.domain.reading import Reading
from serve_app.store.base import Files
from serve_app.web.cookies import SESSION
from tests.browser.conftest import settings_in
from tests.browser.service import Served, Stage, served
from tests.documents.einvoice.samples import fatturapa, ksef, ubl
from tests.extraction.pages import extract_invoice, reading_of
from tests.support import FakeCutter
from tests.support.mail_corpus import signed, with_file, xml_and_pdf
from tests.support.pdfs import drawn

pytestmark = [pytest.mark.browser, pytest.mark.slow]


_TRIES = 100


class ShownPages(FakeCutter):
    """Draws pages as they are."""

    async def show(self, data: bytes, page: int) -> bytes:
        return await asyncio.to_thread(show_page, data, page, ReadOptions())

    async def find_xml(self, data: bytes) -> bytes:
        return einvoice_file(data) or b""


class ReadPages:
    """Reads documents in this process."""

    def __init__(self, files: Files) -> None:
        self._files = files

    async def read(self, file_key: str, *_: Any, **__: Any) -> PagesRead:
        document = await asyncio.to_thread(read_document, await self._files.read(file_key))
        return PagesRead(len(document.pages), pack(document))


def read_by_no_model(document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
    """What is known without models that see anything."""
    pages = [[" ".join(word.text for word in page.words)] for page in document.pages]
    found = extract_invoice(document, reading_of(*pages), reading_of(*pages))
    return [Section(1, len(document.pages), found)]


def printed_otherwise() -> bytes:
    """A mail whose PDF prints another total than its XML states."""
    lines = ["Lindner Druck GmbH DE136695976", "Rechnung RE-2026-118 vom 05.03.2026", "Gesamt 1.180,00 EUR"]

    def draw(canvas: Any) -> None:
        for row, line in enumerate(lines):
            canvas.drawString(60, 700 - 20 * row, line)

    return xml_and_pdf("r.xml", ubl(), drawn(draw))


@pytest.fixture(scope="module")
def einvoices(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    mails = [with_file(ubl(number="RE-2026-77"), "application/xml", "xrechnung.xml"), printed_otherwise()]
    settings = settings_in(tmp_path_factory.mktemp("einvoices"))
    with served(settings, ShownPages(), stage=Stage(ReadPages, read_by_no_model, mails)) as service:
        yield service


@pytest.fixture
def page(browser: Browser, einvoices: Served) -> Iterator[Page]:
    context = browser.new_context(base_url=einvoices.url, viewport={"width": 1280, "height": 900}, locale="en-GB")
    secure = einvoices.url.replace("http:", "https:")
    context.add_cookies([{"name": SESSION, "value": einvoices.cookies["owner"], "url": secure}])
    page = context.new_page()
    page.set_default_timeout(20_000)
    yield page
    context.close()


def send(page: Page, name: str, data: bytes) -> None:
    page.goto("/app/send")
    file: FilePayload = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    page.locator("#choose").set_input_files([file])


def expect_sheet(page: Page) -> None:
    """The page is a picture with something on it."""
    sheet = page.get_by_role("img", name="Page 1 of 1 of the document")
    expect(sheet).to_be_visible()
    expect(sheet).to_have_js_property("complete", True)
    assert sheet.evaluate("image => image.naturalWidth") > 0


def open_invoice(page: Page, number: str) -> None:
    """From the list, once it was read."""
    row = page.get_by_role("row", name=re.compile(number))
    for _ in range(_TRIES):
        page.goto("/app/invoices")
        if row.count():
            break
        page.wait_for_timeout(200)
    row.get_by_role("link").first.click()


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("RE-2026-77", ["Matches the page"]),
        ("RE-2026-118", ["Differs from the page", "1190.00 in the electronic invoice, 1180.00 on the page"]),
    ],
    ids=["XML alone", "a PDF that differs"],
)
def test_what_a_mail_brought(page: Page, number: str, said: list[str]) -> None:
    open_invoice(page, number)
    expect_sheet(page)
    card = page.locator("section", has=page.get_by_role("heading", name="Electronic invoice in the file"))
    for text in [*said, "XRechnung 3.0"]:
        expect(card).to_contain_text(text)


@pytest.mark.parametrize(
    ("name", "data", "number", "said"),
    [
        ("fattura.xml.p7m", signed(fatturapa()), "118/A", "FatturaPA FPR12"),
        ("faktura.xml", ksef(), "FV/118/2026", "KSeF FA(3)"),
    ],
    ids=["FatturaPA, signed", "KSeF"],
)
def test_what_a_person_uploads(page: Page, name: str, data: bytes, number: str, said: str) -> None:
    send(page, name, data)
    row = page.locator(".sent-file").filter(has_text=name.removesuffix(".p7m"))
    row.get_by_role("link").first.click()
    expect_sheet(page)
    expect(page.locator("main")).to_contain_text(number)
    expect(page.locator("section", has=page.get_by_role("heading", name="Electronic invoice"))).to_contain_text(said)
