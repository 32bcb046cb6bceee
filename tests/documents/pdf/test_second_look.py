"""A scanner's text layer does not overrule the picture above it."""

from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf import read_pdf
from serve_app.domain.document import ConflictKind, Page
from tests.support.pdfs import LINES, drawn, picture_of, place, write_lines


def scan_with(*, layer: tuple[str, ...]) -> Page:
    """A scan of an invoice under which a scanner put a text layer."""
    paper = picture_of(drawn(lambda canvas: write_lines(canvas, LINES)), dpi=200)

    def scan(canvas: Canvas) -> None:
        write_lines(canvas, layer, mode=3)
        place(canvas, paper)

    (page,) = read_pdf(drawn(scan), ReadOptions()).pages
    return page


def test_a_layer_that_fits_its_picture_is_believed() -> None:
    page = scan_with(layer=LINES)
    assert "INV-2024-0117" in [word.text for word in page.words]
    assert {word.confidence for word in page.words} == {1.0}
    assert page.conflicts == ()


def test_digits_that_the_picture_shows_differently_are_those_of_the_picture_and_not_certain() -> None:
    wrong = tuple(line.replace("0117", "0111").replace("54.00", "64.00") for line in LINES)
    page = scan_with(layer=wrong)
    confidence = {word.text: word.confidence for word in page.words}
    assert confidence["INV-2024-0117"] < 0.5
    assert confidence["54.00"] < 0.5
    assert confidence["2024-03-05"] == 1.0
    assert {(each.kind, each.text, each.other) for each in page.conflicts} >= {
        (ConflictKind.TEXT_LAYER, "INV-2024-0117", "INV-2024-0111"),
        (ConflictKind.TEXT_LAYER, "54.00", "64.00"),
    }
