"""Pages that are cut out of a file, and pictures of them: those, or none."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from serve_app.documents.isolation.cutter import IsolatedCutter
from serve_app.documents.options import ReadOptions
from serve_app.domain.errors import PartNotFound
from tests.documents.einvoice.hybrid import cii, pdf_with
from tests.documents.einvoice.samples import ubl
from tests.support.pdfs import write_invoice_pdf

SAMPLES = Path(__file__).parents[3] / "samples"


@pytest.fixture(scope="module")
def cutter() -> Iterator[IsolatedCutter]:
    """One for all tests, as one serves many documents."""
    cutter = IsolatedCutter(ReadOptions())
    yield cutter
    cutter.close()


async def test_what_cannot_be_cut_is_reported_and_never_the_whole_file(cutter: IsolatedCutter, tmp_path: Path) -> None:
    whole = write_invoice_pdf(tmp_path / "a.pdf", pages=2).read_bytes()
    for data, pages in ((whole, (3, 4)), (b"%PDF-1.7 damaged", (1, 1))):
        with pytest.raises(PartNotFound):
            await cutter.cut(data, *pages)
    part = await cutter.cut(whole, 2, 2)
    assert part.startswith(b"%PDF-")
    assert part != whole


async def test_electronic_invoices_are_found_and_drawn(cutter: IsolatedCutter) -> None:
    assert await cutter.find_xml(pdf_with(("factur-x.xml", cii()))) == cii()
    assert await cutter.find_xml(b"%PDF-1.7 damaged") == b""
    assert (await cutter.show(ubl(), 1)).startswith(b"\xff\xd8")
    with pytest.raises(PartNotFound):
        await cutter.show(b"<?xml version='1.0'?><Order/>", 1)


@pytest.mark.slow
async def test_pages_of_every_kind_of_document_are_drawn_as_pictures(cutter: IsolatedCutter, tmp_path: Path) -> None:
    pdf = write_invoice_pdf(tmp_path / "a.pdf", pages=2).read_bytes()
    documents = [(pdf, 2), *(((SAMPLES / name).read_bytes(), 1) for name in ("invoice.html", "scan.jpg", "photo.heic"))]
    for data, number in documents:
        picture = cv2.imdecode(np.frombuffer(await cutter.show(data, number), np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        assert 1000 < max(picture.shape) <= 1600
        # Neither blank nor black.
        assert picture.std() > 5
    for data, number in ((pdf, 3), (b"%PDF-1.7 damaged", 1), ((SAMPLES / "scan.jpg").read_bytes(), 2)):
        with pytest.raises(PartNotFound):
            await cutter.show(data, number)
