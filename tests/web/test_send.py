"""Sending documents."""

import re

import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account
from serve_app.domain.batch import Section, records_of
from serve_app.domain.invoice import Extraction, Source
from serve_app.domain.load import PageKind
from serve_app.domain.pace import Pace, Stage
from serve_app.domain.person import Role
from serve_app.domain.query import InvoiceQuery
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.services import build_services
from tests.support import NOON, PDF_BYTES, Clock, FakeCutter, FakeModels, FakeNotifier, claim_next, queue_new
from tests.web.conftest import Browse


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"max_file_bytes": 2**20})


SCRIPT = {"Accept": "application/json"}


async def sent(store: Store, account: Account) -> list[tuple[str | None, Source]]:
    page = await store.invoices.page(account.id, InvoiceQuery(), 100)
    return [(invoice.file.name, invoice.source) for invoice in page.items]


async def test_a_form_sends_all_its_files_and_says_which_were_refused(
    browse: Browse, store: Store, account: Account
) -> None:
    browser = browse(Role.REVIEWER)
    files = [("file", (name, data)) for name, data in (("a.pdf", PDF_BYTES), ("b.txt", b"hello"), ("c.pdf", PDF_BYTES))]
    answer = await browser.post("/app/send", files=[*files, ("file", ("", b""))])
    assert (answer.status_code, answer.headers["location"]) == (303, "/app/send")
    text = (await browser.get("/app/send")).text
    assert "2 documents sent." in text
    assert "b.txt: This is not a PDF" in text
    assert await sent(store, account) == [("c.pdf", Source.APP), ("a.pdf", Source.APP)]


async def test_a_script_sends_one_file_and_gets_its_address(
    browse: Browse, store: Store, files: Files, account: Account
) -> None:
    browser = browse()
    answer = await browser.post("/app/send", files={"file": ("a.pdf", PDF_BYTES)}, headers=SCRIPT)
    assert answer.status_code == 202
    assert (await browser.get(answer.json()["path"])).status_code == 200
    assert await files.read(f"{account.id}/{answer.json()['id']}") == PDF_BYTES
    (entry,) = (await store.audit.page(account.id, 5)).items
    assert (entry.action, entry.target) == ("invoice.sent", answer.json()["id"])


@pytest.mark.parametrize(
    ("data", "status", "message"),
    [
        (b"hello", 415, "Print it to a PDF"),
        (b"", 400, "Choose it again"),
        (b"%PDF-" + b"x" * 2_000_000, 413, "larger than 1 MB"),
    ],
)
async def test_a_refused_document_says_what_to_do(
    browse: Browse, settings: Settings, data: bytes, status: int, message: str
) -> None:
    answer = await browse().post("/app/send", files={"file": ("a.pdf", data)}, headers=SCRIPT)
    assert answer.status_code == status
    assert message in answer.json()["message"]


async def test_the_quota_is_reported(browse: Browse, account: Account) -> None:
    browser = browse()
    for number in range(11):
        answer = await browser.post("/app/send", files={"file": (f"{number}.pdf", PDF_BYTES)}, headers=SCRIPT)
    assert answer.status_code == 429
    assert "quota of 10 extractions is used up" in answer.json()["message"]


@pytest.fixture
def short_wait(app: FastAPI, store: Store, files: Files, settings: Settings, clock: Clock) -> None:
    """The service accepts nothing that would wait for more than a minute."""
    settings = settings.model_copy(update={"max_wait_seconds": 60.0})
    services = build_services(store, files, FakeNotifier(), FakeCutter(), FakeModels(), settings, clock)
    app.state.services = services


@pytest.mark.usefixtures("short_wait")
async def test_while_too_many_documents_wait_people_learn_when_to_come_back(
    browse: Browse, store: Store, account: Account, clock: Clock
) -> None:
    await store.paces.note(Pace("a", NOON, {(Stage.READ, PageKind.TEXT): 20.0}, speed=1.0))
    for _ in range(10):
        await queue_new(store, account.id)
    browser = browse()
    answer = await browser.post("/app/send", files={"file": ("a.pdf", PDF_BYTES)}, headers=SCRIPT)
    # 200 s of work wait; in 140 s it will be 60.
    message = "Not accepted: too many of your documents are waiting. Send the document again in 3 minutes."
    assert (answer.status_code, answer.json()) == (503, {"message": message})
    await browser.post("/app/send", files=[("file", ("b.pdf", PDF_BYTES))])
    assert f"b.pdf: {message}" in (await browser.get("/app/send")).text
    await browser.post("/app/send/sample")
    assert message in (await browser.get("/app/send")).text
    assert (await store.queue.backlog()).documents() == 10


async def test_a_form_without_a_file_is_reported(browse: Browse) -> None:
    browser = browse()
    await browser.post("/app/send", files=[("file", ("", b""))])
    assert "The file is empty" in (await browser.get("/app/send")).text


async def test_the_way_of_each_document_is_shown_and_asked_for_while_it_is_open(
    browse: Browse, store: Store, clock: Clock
) -> None:
    browser = browse()
    for name in ("first.pdf", "second.pdf", "third.pdf"):
        await browser.post("/app/send", files={"file": (name, PDF_BYTES)})
        clock.advance(1)
    claim = await claim_next(store)
    text = (await browser.get("/app/send/recent")).text
    assert text.strip().startswith('<section id="recent"')
    assert 'data-poll="/app/send/recent"' in text
    assert re.findall(r"Next in line|Place \d in the queue|Reading the pages", text) == [
        "Place 2 in the queue",
        "Next in line",
        "Reading the pages",
    ]
    assert re.findall(r"way step-(\d)", text) == ["1", "1", "2"]
    await store.queue.note_models(claim)
    text = (await browser.get("/app/send/recent")).text
    assert re.findall(r"way step-(\d)", text) == ["1", "1", "3"]
    assert re.search(r'aria-current="step">Two models', text)
    first, siblings = records_of(claim, [Section(1, 1, Extraction(vendor_name="A")), Section(2, 3, Extraction())], NOON)
    await store.queue.save_result(claim, first, NOON, siblings)
    for _ in range(2):
        await store.queue.save_result(await claim_next(store), Extraction(vendor_name="B"), NOON)
    text = (await browser.get("/app/send/recent")).text
    assert "2 invoices in this file" in text
    assert "pages 2 to 3" in text
    assert "data-poll" not in text


async def test_the_sample_is_sent(browse: Browse, store: Store, account: Account) -> None:
    answer = await browse().post("/app/send/sample")
    assert answer.status_code == 303
    assert await sent(store, account) == [("sample-invoice.pdf", Source.APP)]


async def test_file_names_are_never_markup(browse: Browse) -> None:
    browser = browse()
    await browser.post("/app/send", files={"file": ("<img src=x>.pdf", PDF_BYTES)})
    text = (await browser.get("/app/send")).text
    assert "&lt;img src=x&gt;.pdf" in text
    assert "<img src=x>" not in text


async def test_a_viewer_sends_nothing(browse: Browse) -> None:
    viewer = browse(Role.VIEWER)
    assert (await viewer.get("/app/send")).status_code == 403
    assert (await viewer.post("/app/send", files={"file": ("a.pdf", PDF_BYTES)})).status_code == 403
    assert (await viewer.post("/app/send/sample")).status_code == 403


async def test_the_largest_document_passes_and_no_other_page_takes_as_much(browse: Browse, settings: Settings) -> None:
    browser = browse()
    answer = await browser.post("/app/send", files={"file": ("a.pdf", b"%PDF-" + b"x" * 400_000)}, headers=SCRIPT)
    assert answer.status_code == 202
    other = await browser.post("/app/invoices/act", data={"state": "x" * 400_000})
    assert other.status_code == 400
    assert "too large" in other.text
