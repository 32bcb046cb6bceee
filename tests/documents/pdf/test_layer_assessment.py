"""When a page's text layer is believed, and when its picture is read instead."""

from collections.abc import Callable

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.limits import Limits
from serve_app.documents.pdf.layer_assessment import Verdict
from serve_app.documents.pdf.text_layer import LayerPage, read_layers
from tests.support.pdfs import LINES, drawn, page_of, picture_of, place, stream, write_lines

SCAN = picture_of(drawn(write_lines))
WORDS = " ".join(LINES).split()


def layer_of(*draw: Callable[[Canvas], None]) -> LayerPage:
    (layer,) = read_layers(drawn(*draw), Limits())
    return layer


def texts_of(layer: LayerPage) -> list[str]:
    return [word.text for word in layer.page.words]


def scanned(canvas: Canvas, lines: tuple[str, ...] = (), mode: int = 3) -> None:
    """A scan with `lines` below it, as scanners write their OCR."""
    write_lines(canvas, lines, mode)
    place(canvas, SCAN)


def test_a_plain_text_layer_is_believed_without_rendering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serve_app.documents.pdf.text_layer.ink_of", None)
    layer = layer_of(write_lines)
    assert layer.assessment.verdict is Verdict.LAYER
    assert texts_of(layer) == WORDS


def test_a_scan_is_read_by_ocr() -> None:
    assert layer_of(scanned).assessment.verdict is Verdict.OCR


def test_print_drawn_as_curves_is_read_by_ocr() -> None:
    def curves(canvas: Canvas) -> None:
        for at in range(400):
            x, y = 60 + 12 * (at % 40), 700 - 30 * (at // 40)
            canvas.circle(x, y, 3)
            canvas.circle(x, y, 2)

    assert layer_of(curves).assessment.verdict is Verdict.OCR


def test_an_empty_page_is_not_sent_to_ocr() -> None:
    layer = layer_of(lambda canvas: canvas.rect(0, 0, 600, 850, stroke=0, fill=0))
    assert layer.assessment.verdict is Verdict.LAYER
    assert not layer.page.words


@pytest.mark.parametrize("mode", [0, 3])
def test_a_scanners_good_ocr_is_kept(mode: int) -> None:
    layer = layer_of(lambda canvas: scanned(canvas, LINES, mode))
    assert layer.assessment.verdict is Verdict.LAYER
    assert texts_of(layer) == WORDS


@pytest.mark.parametrize(
    "lines",
    [
        LINES[:4],
        tuple("".join(" " if letter.isdigit() else letter for letter in line) for line in LINES),
        tuple("~" + line[:1] for line in LINES),
        ("", "", "", "", "", "", "", "", "", "", "", "", "", "", *LINES),
    ],
    ids=["half of it", "no digits", "crumbs", "elsewhere"],
)
def test_a_scanners_bad_ocr_is_done_again(lines: tuple[str, ...]) -> None:
    assert layer_of(lambda canvas: scanned(canvas, lines)).assessment.verdict is Verdict.OCR


def test_a_text_layer_without_digits_is_not_believed() -> None:
    """Letters as text, digits as curves: the layer looks fine and misses every number."""

    def without_digits(canvas: Canvas) -> None:
        for row, line in enumerate(LINES):
            for at, letter in enumerate(line):
                x, y = 72 + 7 * at, 770 - 24 * row
                if letter.isdigit():
                    canvas.ellipse(x, y, x + 5, y + 8)
                else:
                    canvas.drawString(x, y, letter)

    assert layer_of(without_digits).assessment.verdict is Verdict.OCR


def test_glyphs_without_a_meaning_are_not_believed() -> None:
    """Digits of the amounts mapped to nothing, as some generators do; all else is text."""
    pairs = " ".join(f"<{code:02X}> <{0xE000 + code:04X}>" for code in range(0x30, 0x3A))
    cmap = f"1 begincodespacerange <00> <FF> endcodespacerange 10 beginbfchar {pairs} endbfchar"
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>"
    data = page_of("BT /F1 12 Tf 60 700 Td (Invoice 4711 of 2024 Total 150.00) Tj ET", font=font, more=(stream(cmap),))
    (layer,) = read_layers(data, Limits())
    assert layer.assessment.verdict is Verdict.OCR


def test_a_few_icons_do_no_harm() -> None:
    cmap = "1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <7E> <F095> endbfchar"
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>"
    content = "".join(f"BT /F1 10 Tf 60 {700 - 20 * row} Td (~ Telephone 0117 496 0{row}) Tj ET\n" for row in range(9))
    (layer,) = read_layers(page_of(content, font=font, more=(stream(cmap),)), Limits())
    assert layer.assessment.verdict is Verdict.LAYER
    assert "Telephone" in texts_of(layer)


def test_a_pasted_picture_of_text_is_read_besides_the_layer() -> None:
    def mixed(canvas: Canvas) -> None:
        write_lines(canvas, LINES[:4])
        place(canvas, SCAN, 50, 50, 400)

    layer = layer_of(mixed)
    assert layer.assessment.verdict is Verdict.BOTH
    assert texts_of(layer) == " ".join(LINES[:4]).split()


def test_a_photo_and_a_background_do_no_harm() -> None:
    def decorated(canvas: Canvas) -> None:
        place(canvas, Image.linear_gradient("L").resize((300, 424)).point(lambda grey: 190 + grey // 4))
        write_lines(canvas)

    layer = layer_of(decorated)
    assert layer.assessment.verdict is Verdict.LAYER
    assert texts_of(layer) == WORDS


def test_text_covered_by_a_picture_is_not_read() -> None:
    def covered(canvas: Canvas) -> None:
        write_lines(canvas)
        place(canvas, Image.new("L", (50, 10), 255), 60, 500, 400)

    texts = texts_of(layer_of(covered))
    assert "Northwind" in texts
    assert "54.00" not in texts


def test_each_page_is_assessed_for_itself() -> None:
    layers = read_layers(drawn(write_lines, scanned, write_lines), Limits())
    assert [layer.assessment.verdict for layer in layers] == [Verdict.LAYER, Verdict.OCR, Verdict.LAYER]
