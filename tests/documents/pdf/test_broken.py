"""Every file has a clear outcome: it is read, or the error says why not."""

from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter

from serve_app.documents.limits import Limits
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf import read_pdf
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from tests.support.pdfs import LINES, drawn, file_of, page_of, stream, write_lines

CONTENT = "BT /F1 12 Tf 60 700 Td (Total 5.00) Tj ET"
FONT = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
RESOURCES = "/Resources<</Font<</F1 5 0 R>>>>"


def texts_of(data: bytes, limits: Limits | None = None) -> list[str]:
    return [word.text for page in read_text_layer(data, limits or Limits()) for word in page.words]


def failure_of(data: bytes, limits: Limits | None = None) -> FailureCode:
    with pytest.raises(DocumentError) as caught:
        read_pdf(data, ReadOptions(limits=limits or Limits()))
    return caught.value.code


def encrypted(user: str, owner: str, algorithm: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(drawn(write_lines))))
    writer.encrypt(user, owner, algorithm=algorithm)
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256"])
def test_only_a_file_that_asks_its_reader_for_a_password_is_encrypted(algorithm: str) -> None:
    assert texts_of(encrypted("", "owner", algorithm)) == " ".join(LINES).split()
    assert failure_of(encrypted("user", "owner", algorithm)) is FailureCode.DOCUMENT_ENCRYPTED


def test_an_unknown_encryption_is_encrypted() -> None:
    data = page_of(CONTENT).replace(b"/Root 1 0 R", b"/Root 1 0 R/Encrypt<</Filter/Other/V 9/R 9>>/ID[<00><00>]")
    assert failure_of(data) is FailureCode.DOCUMENT_ENCRYPTED


@pytest.mark.parametrize(
    "data",
    [
        page_of(CONTENT).replace(b"startxref\n", b"startxref\n9"),
        page_of(CONTENT, xref=False),
        b"junk before the file\n" + page_of(CONTENT),
        page_of(CONTENT) + b"\njunk behind the file",
    ],
    ids=["wrong offset", "no table", "junk before", "junk behind"],
)
def test_what_can_be_repaired_is_read(data: bytes) -> None:
    assert texts_of(data) == ["Total", "5.00"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"%PDF-1.7\n",
        page_of(CONTENT)[:40],
        file_of(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>"]),
        file_of(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R]/Count 1>>"]),
        file_of(["<</Type/Catalog>>"]),
        file_of(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "null"]),
    ],
    ids=["nothing", "only a header", "cut off", "no pages", "a tree that is its own child", "no tree", "no page"],
)
def test_what_cannot_be_repaired_is_unreadable(data: bytes) -> None:
    assert failure_of(data) is FailureCode.DOCUMENT_UNREADABLE


def test_a_file_without_pages_is_unreadable_also_after_an_encrypted_one() -> None:
    assert failure_of(encrypted("user", "owner", "AES-256")) is FailureCode.DOCUMENT_ENCRYPTED
    assert failure_of(file_of(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>"])) is (
        FailureCode.DOCUMENT_UNREADABLE
    )


def sized(box: str) -> bytes:
    return page_of(CONTENT).replace(b"[0 0 600 800]", box.encode())


@pytest.mark.parametrize("box", ["[0 0 0 0]", "[0 0]", "(none)", "[600 800 0 0]"])
def test_a_page_without_a_size_is_read_on_usual_paper(box: str) -> None:
    assert texts_of(sized(box)) == ["Total", "5.00"]


@pytest.mark.parametrize("box", ["[0 0 1e9 1e9]", "[0 0 99999999999999999999 1]", "[-1e9 -1e9 1e9 1e9]"])
def test_a_huge_page_with_text_ends(box: str) -> None:
    assert len(read_text_layer(sized(box), Limits())) == 1


def test_a_huge_page_that_needs_ocr_is_too_large() -> None:
    picture = "<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"
    data = page_of("q 1000000 0 0 1000000 0 0 cm /I1 Do Q", more=(stream("0", picture.removeprefix("<<")),))
    data = data.replace(RESOURCES.encode(), b"/Resources<</XObject<</I1 6 0 R>>>>")
    assert failure_of(data.replace(b"[0 0 600 800]", b"[0 0 1000000 1000000]")) is FailureCode.DOCUMENT_TOO_LARGE


def many_pages(count: int) -> bytes:
    """As many pages, all of them one object."""
    kids = "3 0 R " * count
    page = f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R{RESOURCES}>>"
    return file_of(
        ["<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Kids[{kids}]/Count {count}>>", page, stream(CONTENT), FONT]
    )


def test_one_page_named_often_counts_as_many() -> None:
    assert texts_of(many_pages(3)) == ["Total", "5.00"] * 3
    assert failure_of(many_pages(5000)) is FailureCode.DOCUMENT_TOO_LARGE


def test_too_many_words_are_refused() -> None:
    assert failure_of(drawn(write_lines), Limits(max_words=5)) is FailureCode.DOCUMENT_TOO_LARGE


def test_a_page_tree_in_a_loop_ends() -> None:
    page = f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R{RESOURCES}>>"
    tree = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[6 0 R 3 0 R]/Count 2>>", page, stream(CONTENT), FONT]
    loop = "<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 1>>"
    assert failure_of(file_of([*tree, loop])) is FailureCode.DOCUMENT_UNREADABLE


def test_forms_within_forms_end() -> None:
    form = "/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>/XObject<</X1 {} 0 R>>>>"
    depth = 60
    forms = [stream("/X1 Do", form.format(number + 1)) for number in range(6, 6 + depth)]
    for last in (stream(CONTENT, form.format(5)), stream(CONTENT + " /X1 Do", form.format(6))):
        data = page_of("/X1 Do " + CONTENT, more=(*forms, last))
        data = data.replace(b"/F1 5 0 R>>>>", b"/F1 5 0 R>>/XObject<</X1 6 0 R>>>>", 1)
        assert "Total" in texts_of(data)
