"""A page that was read can be drawn again, upright, whatever the kind of file."""

import io
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.documents.options import ReadOptions
from serve_app.documents.pictures import LONG_SIDE, draw_page, show_page
from serve_app.domain.document import Homography, Page
from serve_app.domain.errors import DocumentError

# A quarter turn: the upright page's top left corner is the shown page's lower left one.
TURNED: Homography = (0, 1, 0, -1, 0, 1, 0, 0, 1)


def page(width: float = 600, height: float = 800, number: int = 1, to_shown: Homography | None = None) -> Page:
    return Page(number, width, height, (), to_shown=to_shown)


def drawn(data: bytes, page: Page) -> npt.NDArray[np.uint8]:
    with Image.open(io.BytesIO(draw_page(data, page, ReadOptions()))) as picture:
        assert picture.format == "PNG"
        return np.asarray(picture.convert("L"))


def is_black_at(picture: npt.NDArray[np.uint8], x: float, y: float) -> bool:
    height, width = picture.shape
    return bool(picture[int(y * height), int(x * width)] < 64)


def pdf() -> bytes:
    """Two pages; on the second a black square near the upper left corner."""
    written = io.BytesIO()
    canvas = Canvas(written, (600, 800))
    canvas.showPage()
    canvas.rect(60, 640, 60, 80, fill=1)
    canvas.save()
    return written.getvalue()


def image() -> bytes:
    """The same square, on a picture of its own."""
    picture = Image.new("RGB", (300, 400), "white")
    ImageDraw.Draw(picture).rectangle((30, 40, 60, 80), fill="black")
    written = io.BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


def test_a_page_of_a_pdf() -> None:
    picture = drawn(pdf(), page(number=2))
    assert picture.shape == (LONG_SIDE, LONG_SIDE * 3 // 4)
    assert is_black_at(picture, 0.15, 0.15)
    assert not is_black_at(drawn(pdf(), page()), 0.15, 0.15)


def test_a_picture() -> None:
    picture = drawn(image(), page())
    assert picture.shape == (LONG_SIDE, LONG_SIDE * 3 // 4)
    assert is_black_at(picture, 0.15, 0.15)
    assert not is_black_at(picture, 0.85, 0.85)


def test_a_page_of_html() -> None:
    html = b"<!doctype html><html><body style='background:black'>Invoice</body></html>"
    assert drawn(html, page(595, 842)).shape[0] == LONG_SIDE


def test_a_page_that_was_turned_to_be_read_is_drawn_upright() -> None:
    picture = drawn(image(), page(800, 600, to_shown=TURNED))
    assert picture.shape == (LONG_SIDE * 3 // 4, LONG_SIDE)
    assert is_black_at(picture, 0.85, 0.15)
    assert not is_black_at(picture, 0.15, 0.15)


@pytest.mark.parametrize("data", [b"%PDF-1.7 nothing", b"\x89PNG\r\n\x1a\n nothing"])
def test_a_file_that_cannot_be_drawn_is_a_documents_error(data: bytes) -> None:
    with pytest.raises(DocumentError):
        draw_page(data, page(), ReadOptions())


def test_pages_are_drawn_in_the_readers_own_process() -> None:
    sample = (Path(__file__).parents[2] / "samples" / "invoice.pdf").read_bytes()
    supervisor = Supervisor()
    try:
        document = supervisor.read(sample)
        inside = supervisor.draw(sample, document.pages[0])
    finally:
        supervisor.close()
    assert inside == draw_page(sample, document.pages[0], ReadOptions())


def test_a_long_strip_is_shown_as_sharp_as_a_sheet_of_its_width() -> None:
    written = io.BytesIO()
    Image.new("L", (900, 9000), 255).save(written, "PNG")
    with Image.open(io.BytesIO(show_page(written.getvalue(), 1, ReadOptions()))) as shown:
        assert shown.size == (LONG_SIDE // 2, LONG_SIDE * 5)
