"""Letters that a font draws without saying which they are."""

from dataclasses import replace
from io import BytesIO

import pytest
from reportlab.pdfbase import pdfmetrics, ttfonts
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.limits import Limits
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf import read_pdf
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.document import DISPUTED

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
LINES = ("Kranz Keramik GmbH", "Invoice 48-2217", "Total 1,840.00 EUR")


def drawn_without(lost: str, monkeypatch: pytest.MonkeyPatch, lines: tuple[str, ...] = LINES) -> bytes:
    """Lines in an embedded font, whose table of meanings lacks some characters."""
    make = ttfonts.makeToUnicodeCMap
    monkeypatch.setattr(
        ttfonts,
        "makeToUnicodeCMap",
        lambda name, subset: make(name, [0 if chr(each) in lost else each for each in subset]),
    )
    pdfmetrics.registerFont(ttfonts.TTFont(f"Lost{lost}", FONT))
    buffer = BytesIO()
    canvas = Canvas(buffer)
    canvas.setFont(f"Lost{lost}", 12)
    for row, line in enumerate(lines):
        canvas.drawString(72, 770 - 24 * row, line)
    canvas.save()
    monkeypatch.undo()
    return buffer.getvalue()


@pytest.mark.parametrize("lost", ["K", "a", "8", "4z"])
def test_a_lost_letter_is_taken_from_the_picture(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (page,) = read_pdf(drawn_without(lost, monkeypatch), ReadOptions()).pages
    assert " ".join(word.text for word in page.words) == " ".join(LINES)


def test_a_word_that_cannot_be_completed_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    (page,) = read_text_layer(drawn_without("K", monkeypatch), Limits())
    by_text = {word.text: word.confidence for word in page.words}
    assert by_text["ranz"] == by_text["eramik"] == DISPUTED
    assert by_text["GmbH"] == 1.0


def test_a_bullet_is_no_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    (page,) = read_pdf(drawn_without("•", monkeypatch, ("• Installation", "12 • 40.00")), ReadOptions()).pages
    assert [word.text for word in page.words] == ["Installation", "12", "40.00"]
    assert all(word == replace(word, confidence=1.0) for word in page.words)
