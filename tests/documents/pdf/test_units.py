"""The unit of a page may be several points: its size, its print and its picture are as large as a reader shows them."""

from io import BytesIO

import numpy as np
import pydyf  # type: ignore[import-untyped]
import pytest
from PIL import Image
from pypdf import PdfWriter
from pypdf.generic import NameObject, NumberObject
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.limits import Limits
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf import read_pdf
from serve_app.documents.pdf.text_layer import read_layers
from serve_app.documents.pdf.units import user_units
from serve_app.documents.pictures import LONG_SIDE, draw_page
from serve_app.domain.document import Page
from tests.documents.images.printed import text_of
from tests.support.pdfs import LINES, drawn, page_of, picture_of, place, write_lines

UNIT = 10
"""Points; the pages below are A4 in it."""
SMALL = (59.5, 84.2)


def written(canvas: Canvas) -> None:
    canvas.scale(1 / UNIT, 1 / UNIT)
    write_lines(canvas)


def scanned(canvas: Canvas) -> None:
    place(canvas, picture_of(drawn(write_lines)), width=SMALL[0])


def with_unit(data: bytes) -> bytes:
    """The file, with this unit on every page."""
    writer, buffer = PdfWriter(clone_from=BytesIO(data)), BytesIO()
    for page in writer.pages:
        page[NameObject("/UserUnit")] = NumberObject(UNIT)
    writer.write(buffer)
    return buffer.getvalue()


def read(data: bytes) -> Page:
    (page,) = read_pdf(data, ReadOptions(limits=Limits(max_pixels=2_000_000))).pages
    return page


class TestUserUnit:
    def test_small_numbers_in_a_large_unit_are_print(self) -> None:
        page = read(with_unit(drawn(written, size=SMALL)))
        assert text_of(page) == text_of(read(drawn(write_lines)))
        assert (page.width, page.height) == pytest.approx((595, 842), abs=0.1)

    def test_a_scan_is_rendered_as_sharply_as_on_a_page_without_unit(self) -> None:
        page = read(with_unit(drawn(scanned, size=SMALL)))
        assert text_of(page).endswith(LINES[-1])
        assert (page.width, page.height) == pytest.approx((595, 842), abs=0.1)

    def test_the_resolution_of_a_picture_is_that_of_the_page_as_shown(self) -> None:
        (layer,) = read_layers(with_unit(drawn(scanned, size=SMALL)), Limits())
        assert layer.resolution == pytest.approx(150 / 72, rel=0.01)

    def test_the_page_is_drawn_as_large_as_any_other(self) -> None:
        data = with_unit(drawn(written, size=SMALL))
        with Image.open(BytesIO(draw_page(data, read(data), ReadOptions()))) as picture:
            assert max(picture.size) == LONG_SIDE
            assert np.asarray(picture.convert("L")).min() < 64

    @pytest.mark.parametrize("value", ["0", "-2", "1e9", "(ten)", "null"])
    def test_a_unit_that_cannot_be_meant_is_a_point(self, value: str) -> None:
        assert user_units(page_of("", page=f"/UserUnit {value}")) == {}

    def test_a_unit_inside_a_compressed_stream_is_found(self) -> None:
        file, buffer = pydyf.PDF(), BytesIO()
        file.add_page(pydyf.Dictionary({"Type": "/Page", "Parent": file.pages.reference, "UserUnit": UNIT}))
        file.write(buffer, version=b"1.7", compress=True)
        assert b"/UserUnit" not in buffer.getvalue()
        assert user_units(buffer.getvalue()) == {1: UNIT}
