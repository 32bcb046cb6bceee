"""Codes on pages that have a text layer, however they are drawn."""

from collections.abc import Callable
from io import BytesIO

import pytest
import zxingcpp
from PIL import Image
from reportlab.graphics import renderPDF
from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.shapes import Drawing
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.limits import Limits
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.document import PrintedCode
from tests.support.pdfs import drawn

TEXT = "BCD\n002\n1\nSCT\n\nAkme Werkzeug GmbH\nDE88200800000970375700\nEUR59.50\n\n\nRE-2024/17\n"


def codes_of(page: Callable[[Canvas], None]) -> tuple[PrintedCode, ...]:
    (read,) = read_text_layer(drawn(page), Limits())
    return read.codes


def words(canvas: Canvas) -> None:
    for row in range(30):
        canvas.drawString(72, 780 - 14 * row, "Hammer 2 25,00 50,00")


def as_modules(canvas: Canvas, side: float) -> None:
    """As squares, one for each dark module."""
    code = QrCodeWidget(TEXT, barWidth=side, barHeight=side)
    drawing = Drawing(side, side)
    drawing.add(code)
    renderPDF.draw(drawing, canvas, 300, 100)


def as_picture(canvas: Canvas, side: float, kind: zxingcpp.BarcodeFormat = zxingcpp.BarcodeFormat.QRCode) -> None:
    picture = Image.fromarray(zxingcpp.create_barcode(TEXT, kind).to_image(scale=4))
    buffer = BytesIO()
    picture.save(buffer, "PNG")
    canvas.drawImage(ImageReader(BytesIO(buffer.getvalue())), 300, 100, side, side * picture.height / picture.width)


@pytest.mark.parametrize("draw", [as_modules, as_picture])
@pytest.mark.parametrize("side", [12 * mm, 46 * mm])
def test_code_is_found(draw: Callable[[Canvas, float], None], side: float) -> None:
    def page(canvas: Canvas) -> None:
        words(canvas)
        draw(canvas, side)

    (code,) = codes_of(page)

    assert code.text == TEXT
    assert 300 / 595 <= code.box.x0 < code.box.x1 <= (300 + side) / 595 + 0.01
    assert 1 - (100 + side) / 842 - 0.01 <= code.box.y0 < code.box.y1 <= 1 - 100 / 842 + 0.01


def test_strip_is_found() -> None:
    def page(canvas: Canvas) -> None:
        words(canvas)
        as_picture(canvas, 70 * mm, zxingcpp.BarcodeFormat.PDF417)

    assert [code.text for code in codes_of(page)] == [TEXT]


def test_page_without_code_is_not_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("rendered")

    monkeypatch.setattr("serve_app.documents.pdf.codes.read_codes", refuse)

    assert codes_of(words) == ()
