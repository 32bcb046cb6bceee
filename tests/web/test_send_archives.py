"""Archives, and pictures that the API does not take, can be sent, too."""

import zipfile
from io import BytesIO

import pytest
from PIL import Image

from serve_app.documents.isolation.mail_opener import IsolatedOpener
from serve_app.documents.mail.opened import OpenRules
from serve_app.documents.options import ReadOptions
from serve_app.documents.sniff import HTML, JPEG, PDF, XML
from serve_app.domain.account import Account
from serve_app.domain.query import InvoiceQuery
from serve_app.store.base import Store
from tests.documents.einvoice.samples import fatturapa, ksef, ubl
from tests.support import PDF_BYTES
from tests.support.mail_corpus import signed
from tests.web.conftest import Browse

SCRIPT = {"Accept": "application/json"}
OTHER_PDF = PDF_BYTES + b"\n% another"
PAGE = b"<!DOCTYPE html><html><body>Invoice 17</body></html>"


def picture(kind: str, pages: int = 1) -> bytes:
    buffer = BytesIO()
    image = Image.new("L", (200, 300), 255)
    image.save(buffer, kind, save_all=pages > 1, append_images=[image] * (pages - 1))
    return buffer.getvalue()


def archive(*files: tuple[str, bytes], stored: bool = True) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as made:
        for name, data in files:
            made.writestr(name, data)
    return buffer.getvalue()


async def sent(store: Store, account: Account) -> list[tuple[str | None, str | None]]:
    items = (await store.invoices.page(account.id, InvoiceQuery(), 100)).items
    return sorted((invoice.file.name, invoice.file.mime_type) for invoice in items)


@pytest.mark.parametrize("stored", [True, False])
async def test_each_file_of_a_zip_is_an_invoice_of_its_own(
    browse: Browse, store: Store, account: Account, stored: bool
) -> None:
    files = [("2026/a.pdf", PDF_BYTES), ("2026/b.pdf", OTHER_PDF), ("c.html", PAGE), ("__MACOSX/._a.pdf", b"x")]
    answer = await browse().post(
        "/app/send", files={"file": ("all.zip", archive(*files, stored=stored))}, headers=SCRIPT
    )
    assert answer.status_code == 202
    assert (len(answer.json()["ids"]), answer.json()["problems"]) == (3, [])
    assert await sent(store, account) == [("a.pdf", PDF), ("b.pdf", PDF), ("c.html", HTML)]


async def test_electronic_invoices_are_taken_signed_or_not(browse: Browse, store: Store, account: Account) -> None:
    files = {
        "a.xml": ubl(),
        "b.xml.p7m": signed(fatturapa()),
        "c.zip": archive(("d.xml", ksef())),
        "e.xml": fatturapa(2),
    }
    for name, data in files.items():
        assert (await browse().post("/app/send", files={"file": (name, data)}, headers=SCRIPT)).status_code == 202
    names = ["a.xml", "b.xml", "d.xml", "e-1.xml", "e-2.xml"]
    assert await sent(store, account) == [(name, XML) for name in names]


async def test_names_in_a_zip_keep_their_characters(browse: Browse, store: Store, account: Account) -> None:
    written, meant = "발-x.pdf", "Rechnung_für_Müller.pdf"
    data = archive((meant, PDF_BYTES))
    latin = data.replace(meant.encode(), meant.encode("latin-1").ljust(len(meant.encode()), b"x"))
    # Without the mark that says UTF-8.
    unmarked = bytearray(latin)
    unmarked[7] &= 0xF7
    unmarked[unmarked.index(b"PK\x01\x02") + 9] &= 0xF7
    for files in (archive((written, PDF_BYTES)), bytes(unmarked)):
        await browse().post("/app/send", files={"file": ("all.zip", files)}, headers=SCRIPT)
    assert [name for name, _ in await sent(store, account)] == [f"{meant}xx", written]


async def test_small_pictures_in_a_zip_are_documents_because_a_person_chose_them(
    browse: Browse, store: Store, account: Account
) -> None:
    files = archive(("a.pdf", PDF_BYTES), ("receipt.jpg", picture("JPEG")))
    await browse().post("/app/send", files={"file": ("all.zip", files)}, headers=SCRIPT)
    assert await sent(store, account) == [("a.pdf", PDF), ("receipt.jpg", JPEG)]


async def test_what_in_a_zip_is_no_document_is_reported_by_name(browse: Browse, store: Store, account: Account) -> None:
    files = archive(("a.pdf", PDF_BYTES), ("notes.bin", b"\1\2"), ("inner.zip", archive(("x.pdf", PDF_BYTES))))
    browser = browse()
    answer = await browser.post("/app/send", files={"file": ("all.zip", files)}, headers=SCRIPT)
    problems = answer.json()["problems"]
    assert [problem.partition(":")[0] for problem in problems] == ["notes.bin", "inner.zip"]
    await browser.post("/app/send", files=[("file", ("all.zip", files))])
    assert "1 document sent. notes.bin: It is a file of an unknown kind." in (await browser.get("/app/send")).text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (archive(), "It contains no files"),
        (archive(("notes.bin", b"\1\2")), "notes.bin: It is a file of an unknown kind"),
        (archive(("a.pdf", PDF_BYTES))[:-30], "The ZIP archive is damaged"),
        (archive(*((f"{number}.pdf", PDF_BYTES) for number in range(101))), "over 100 files"),
        (archive(("[Content_Types].xml", b"<x/>"), ("word/a.xml", b"<x/>")), "a Word document"),
        (
            archive(("bomb.pdf", b"%PDF-1.7" + bytes(16 * 2**20)), stored=False),
            "unpacked file of the ZIP archive is too large",
        ),
        (b"II*\0" + bytes(100), "damaged"),
    ],
    ids=["empty", "nothing readable", "cut off", "many files", "a Word document", "a bomb", "a damaged TIFF"],
)
async def test_an_archive_without_a_document_is_refused_with_its_reason(
    browse: Browse, store: Store, account: Account, data: bytes, message: str
) -> None:
    answer = await browse().post("/app/send", files={"file": ("file", data)}, headers=SCRIPT)
    assert answer.status_code == 415
    assert message in answer.json()["message"]
    assert await sent(store, account) == []


@pytest.mark.parametrize("kind", ["TIFF", "WEBP"])
async def test_a_tiff_and_a_webp_are_sent_as_pdf(browse: Browse, store: Store, account: Account, kind: str) -> None:
    answer = await browse().post("/app/send", files={"file": ("scan.tif", picture(kind))}, headers=SCRIPT)
    assert answer.status_code == 202
    assert [kind for _, kind in await sent(store, account)] == [PDF]


async def test_the_quota_ends_an_archive_and_says_which_files_were_not_taken(
    browse: Browse, store: Store, account: Account
) -> None:
    files = archive(*((f"{number:02}.pdf", PDF_BYTES + bytes([65 + number])) for number in range(12)))
    answer = await browse().post("/app/send", files={"file": ("all.zip", files)}, headers=SCRIPT)
    assert len(answer.json()["ids"]) == 10
    assert [problem[:7] for problem in answer.json()["problems"]] == ["10.pdf:", "11.pdf:"]


async def test_files_are_taken_apart_in_a_process_of_their_own() -> None:
    opener = IsolatedOpener(ReadOptions())
    try:
        rules = OpenRules(is_upload=True)
        parts = await opener.open_file(archive(("a.pdf", PDF_BYTES), ("b.tif", picture("TIFF", 2))), "all.zip", rules)
        assert [(each.part.name, each.part.mime_type, bool(each.data)) for each in parts] == [
            ("all.zip", "application/octet-stream", False), ("a.pdf", PDF, True), ("b.tif", PDF, True)
        ]  # fmt: skip
    finally:
        opener.close()
