"""Pages cut out of a file are a file of their own."""

from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.limits import Limits
from serve_app.documents.pdf.parts import cut_pages
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from tests.support.pdfs import drawn


def numbered(canvas: Canvas) -> None:
    canvas.drawString(72, 700, f"Page {canvas.getPageNumber()}")


def changed(change: "list[str]", pages: int = 4) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(drawn(*[numbered] * pages))))
    if "turned" in change:
        writer.pages[1].rotate(90)
    if "cropped" in change:
        writer.pages[1].cropbox.upper_right = (500, 750)
    if "attachment" in change:
        writer.add_attachment("secret.xml", b"<secret/>")
        writer.add_metadata({"/Title": "whole"})
    if "locked" in change:
        writer.encrypt("", "owner", algorithm="AES-256")
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def texts_of(data: bytes) -> list[str]:
    return [page.words[1].text for page in read_text_layer(data, Limits())]


@pytest.mark.parametrize(("first", "last", "texts"), [(1, 1, "1"), (2, 3, "23"), (1, 4, "1234")])
def test_the_part_holds_these_pages_alone(first: int, last: int, texts: str) -> None:
    assert texts_of(cut_pages(changed([]), first, last)) == list(texts)


def test_the_part_is_shown_as_the_whole_was() -> None:
    whole = changed(["turned", "cropped"])
    (page,) = read_text_layer(cut_pages(whole, 2, 2), Limits())
    as_it_was = read_text_layer(whole, Limits())[1]
    assert (page.width, page.height, page.words) == (as_it_was.width, as_it_was.height, as_it_was.words)


def test_an_owner_password_does_not_stop_it() -> None:
    part = cut_pages(changed(["locked"]), 2, 2)
    assert texts_of(part) == ["2"]
    assert not PdfReader(BytesIO(part)).is_encrypted


def test_nothing_of_the_whole_leaks() -> None:
    whole = changed(["attachment"])
    assert PdfReader(BytesIO(whole)).attachments
    part = cut_pages(whole, 1, 1)
    assert not PdfReader(BytesIO(part)).attachments
    assert b"secret" not in part
    assert b"whole" not in part


@pytest.mark.parametrize(("first", "last"), [(0, 1), (3, 2), (4, 5)])
def test_pages_that_are_not_there_are_a_mistake_of_the_caller(first: int, last: int) -> None:
    with pytest.raises(ValueError, match="no pages"):
        cut_pages(changed([]), first, last)


def test_a_damaged_file_says_so() -> None:
    with pytest.raises(DocumentError) as caught:
        cut_pages(b"%PDF-1.7 nothing", 1, 1)
    assert caught.value.code is FailureCode.DOCUMENT_UNREADABLE
