"""Pages of a PDF in another order, turned, and without a password."""

from io import BytesIO

import pypdfium2 as pdfium
import pytest

from serve_app.documents.isolation.cutter import IsolatedCutter
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf.parts import bind_pages, count_pages
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from tests.documents.pdf.test_broken import encrypted, texts_of


def pdf_of(widths: list[int]) -> bytes:
    """Pages that can be told apart by their width."""
    file = pdfium.PdfDocument.new()
    for width in widths:
        file.new_page(width, 400)
    buffer = BytesIO()
    file.save(buffer)
    return buffer.getvalue()


def sizes(data: bytes) -> list[tuple[float, float]]:
    file = pdfium.PdfDocument(data)
    return [page.get_size() for page in file]


def test_pages_are_bound_in_the_order_that_is_asked_for() -> None:
    assert sizes(bind_pages(pdf_of([100, 200, 300]), [(3, 0), (1, 0)])) == [(300, 400), (100, 400)]


def test_pages_are_turned_beyond_what_the_file_says() -> None:
    turned = bind_pages(pdf_of([100]), [(1, 90)])
    assert sizes(turned) == [(400, 100)]
    assert sizes(bind_pages(turned, [(1, 90)])) == [(100, 400)]


@pytest.mark.parametrize("sheets", [[], [(0, 0)], [(4, 0)]])
def test_pages_that_are_not_there_are_refused(sheets: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="no pages"):
        bind_pages(pdf_of([100, 200, 300]), sheets)


def test_a_password_opens_the_file_and_is_gone() -> None:
    locked = encrypted("user", "owner", "AES-256")
    with pytest.raises(DocumentError) as refused:
        bind_pages(locked, None, "wrong")
    assert refused.value.code is FailureCode.DOCUMENT_ENCRYPTED
    assert texts_of(bind_pages(locked, None, "user")) == texts_of(encrypted("", "owner", "AES-256"))


async def test_a_process_of_its_own_counts_and_binds() -> None:
    cutter = IsolatedCutter(ReadOptions())
    try:
        assert await cutter.count(pdf_of([100, 200])) == 2
        assert sizes(await cutter.bind(pdf_of([100, 200]), [(2, 90)])) == [(400, 200)]
        with pytest.raises(DocumentError) as refused:
            await cutter.count(b"%PDF nonsense")
        assert refused.value.code is FailureCode.DOCUMENT_UNREADABLE
    finally:
        cutter.close()


def test_counting() -> None:
    assert count_pages(pdf_of([100, 200, 300])) == 3
