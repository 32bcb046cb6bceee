"""Characters that stand in boxes of a form are one word; those of a table are not."""

from reportlab.pdfgen.canvas import Canvas

from tests.documents.pdf.test_text import texts_of
from tests.support.pdfs import drawn

STEP = 16


def boxes(canvas: Canvas, text: str, y: float, step: float = STEP) -> None:
    for at, character in enumerate(text):
        if character == " ":
            continue
        canvas.rect(200 + step * at, y - 4, step, 16)
        canvas.drawCentredString(200 + step * (at + 0.5), y, character)


def test_characters_in_boxes_are_one_word() -> None:
    def form(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Invoice No.")
        boxes(canvas, "SAT00518", 700)
        canvas.drawString(72, 650, "Date")
        boxes(canvas, "14082025", 650)

    assert texts_of(drawn(form)) == ["Invoice", "No.", "SAT00518", "Date", "14082025"]


def test_characters_between_lines_are_one_word() -> None:
    def form(canvas: Canvas) -> None:
        canvas.rect(200, 696, 5 * STEP, 16)
        for at, character in enumerate("SAT05"):
            canvas.line(200 + STEP * at, 696, 200 + STEP * at, 712)
            canvas.drawCentredString(200 + STEP * (at + 0.5), 700, character)

    assert texts_of(drawn(form)) == ["SAT05"]


def test_groups_of_boxes_are_one_word() -> None:
    assert texts_of(drawn(lambda canvas: boxes(canvas, "14 08 2025", 700))) == ["14082025"]


def test_cells_of_different_widths_stay_apart() -> None:
    def row(canvas: Canvas) -> None:
        x = 100.0
        for character, width in zip("12345", (16, 16, 16, 40, 16), strict=True):
            canvas.rect(x, 696, width, 16)
            canvas.drawCentredString(x + width / 2, 700, character)
            x += width

    assert texts_of(drawn(row)) == [*"12345"]


def test_digits_without_boxes_stay_apart() -> None:
    def row(canvas: Canvas) -> None:
        for at, character in enumerate("12345"):
            canvas.drawString(200 + STEP * at, 700, character)
        canvas.rect(72, 650, 20, 20)

    assert texts_of(drawn(row)) == [*"12345"]


def test_cells_of_a_table_stay_apart() -> None:
    assert texts_of(drawn(lambda canvas: boxes(canvas, "12345", 700, step=60))) == [*"12345"]
