"""PDF text layers become words in their places; what cannot be read is named."""

from io import BytesIO
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.limits import Limits
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf import read_pdf
from serve_app.documents.reader import read_document
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from tests.support.pdfs import LINES, write_invoice_pdf


def pdf_of(draw: str, *, encrypt: str | None = None) -> bytes:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(600, 800), encrypt=encrypt)
    canvas.setFont("Helvetica", 10)
    canvas.drawString(60, 720, draw)
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def test_words_come_in_reading_order_with_their_boxes(tmp_path: Path) -> None:
    document = read_document(write_invoice_pdf(tmp_path / "a.pdf", pages=2).read_bytes())
    assert [page.number for page in document.pages] == [1, 2]
    page = document.pages[0]
    assert [word.text for word in page.words] == " ".join(LINES).split()
    assert (round(page.width), round(page.height)) == (595, 842)
    for word in page.words:
        assert 0 <= word.box.x0 < word.box.x1 <= 1
        assert 0 <= word.box.y0 < word.box.y1 <= 1
    first = page.words[0].box
    assert first.x0 == pytest.approx(72 / 595, abs=0.01)
    assert first.y_center == pytest.approx(1 - 774 / 842, abs=0.01)


def test_accents_and_signs_survive() -> None:
    (page,) = read_pdf(pdf_of("Müller & Söhne £12.50 €3"), ReadOptions()).pages
    assert " ".join(word.text for word in page.words) == "Müller & Söhne £12.50 €3"


@pytest.mark.parametrize(("rotation", "x", "y"), [(0, 0.1, 0.1), (90, 0.9, 0.1), (180, 0.9, 0.9), (270, 0.1, 0.9)])
def test_a_rotated_page_is_read_as_it_is_shown(rotation: int, x: float, y: float) -> None:
    file = pdfium.PdfDocument(pdf_of("Total"))
    file[0].set_rotation(rotation)
    buffer = BytesIO()
    file.save(buffer)
    file.close()
    (page,) = read_pdf(buffer.getvalue(), ReadOptions()).pages
    assert (page.width, page.height) == ((600, 800) if rotation % 180 == 0 else (800, 600))
    (word,) = page.words
    assert word.box.x_center == pytest.approx(x, abs=0.05)
    assert word.box.y_center == pytest.approx(y, abs=0.05)


def test_words_outside_the_crop_box_are_not_on_the_page() -> None:
    file = pdfium.PdfDocument(pdf_of("Total"))
    file[0].set_cropbox(0, 0, 600, 500)
    buffer = BytesIO()
    file.save(buffer)
    file.close()
    assert read_pdf(buffer.getvalue(), ReadOptions()).pages[0].words == ()


def test_an_empty_user_password_opens(tmp_path: Path) -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption

    data = pdf_of("Total", encrypt=StandardEncryption("", ownerPassword="owner"))
    assert read_pdf(data, ReadOptions()).pages[0].words[0].text == "Total"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (pdf_of("Total", encrypt="secret"), FailureCode.DOCUMENT_ENCRYPTED),
        (b"%PDF-1.7\nnothing of a PDF", FailureCode.DOCUMENT_UNREADABLE),
        (pdf_of("Total")[:300], FailureCode.DOCUMENT_UNREADABLE),
        (pdf_of(""), FailureCode.NO_TEXT_FOUND),
        (b"plain text", FailureCode.DOCUMENT_UNREADABLE),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, code: FailureCode) -> None:
    with pytest.raises(DocumentError) as caught:
        read_document(data)
    assert caught.value.code is code


def test_too_many_pages_are_refused(tmp_path: Path) -> None:
    data = write_invoice_pdf(tmp_path / "a.pdf", pages=3).read_bytes()
    with pytest.raises(DocumentError, match="3 pages; at most 2") as caught:
        read_document(data, ReadOptions(limits=Limits(max_pages=2)))
    assert caught.value.code is FailureCode.DOCUMENT_TOO_LARGE
