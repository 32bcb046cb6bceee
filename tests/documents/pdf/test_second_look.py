"""A scanner's text layer does not overrule the picture above it."""

from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf import read_pdf
from serve_app.domain.document import Word
from tests.support.pdfs import LINES, drawn, picture_of, place, write_lines


def scan_with(*, layer: tuple[str, ...]) -> list[Word]:
    """The words of a scan of an invoice under which a scanner put a text layer."""
    paper = picture_of(drawn(lambda canvas: write_lines(canvas, LINES)), dpi=200)

    def scan(canvas: Canvas) -> None:
        write_lines(canvas, layer, mode=3)
        place(canvas, paper)

    (page,) = read_pdf(drawn(scan), ReadOptions()).pages
    return list(page.words)


def test_a_layer_that_fits_its_picture_is_believed() -> None:
    words = scan_with(layer=LINES)
    assert "INV-2024-0117" in [word.text for word in words]
    assert {word.confidence for word in words} == {1.0}


def test_digits_that_the_picture_shows_differently_are_those_of_the_picture_and_not_certain() -> None:
    wrong = tuple(line.replace("0117", "0111").replace("54.00", "64.00") for line in LINES)
    confidence = {word.text: word.confidence for word in scan_with(layer=wrong)}
    assert confidence["INV-2024-0117"] < 0.5
    assert confidence["54.00"] < 0.5
    assert confidence["2024-03-05"] == 1.0
