"""The words of a text layer."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.limits import Limits
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.document import Word
from tests.support.pdfs import drawn, page_of, stream


def words_of(data: bytes) -> list[Word]:
    (page,) = read_text_layer(data, Limits())
    return list(page.words)


def texts_of(data: bytes) -> list[str]:
    return [word.text for word in words_of(data)]


def test_bold_made_by_printing_twice_is_read_once() -> None:
    def bold(canvas: Canvas) -> None:
        for shift in (0, 0.4):
            canvas.drawString(72 + shift, 700, "Total 5500.00")
        at = 72.0
        for letter in "Balance 11.00":
            for shift in (0, 0.4):
                canvas.drawString(at + shift, 650, letter)
            at += canvas.stringWidth(letter)

    assert texts_of(drawn(bold)) == ["Total", "5500.00", "Balance", "11.00"]


def test_double_letters_and_repeated_values_stay() -> None:
    def rows(canvas: Canvas) -> None:
        for x in (72, 172, 272):
            canvas.drawString(x, 700, "11.00")
        canvas.drawString(72, 650, "Buffalo 1000 llama")

    assert texts_of(drawn(rows)) == ["11.00", "11.00", "11.00", "Buffalo", "1000", "llama"]


def test_a_glyph_for_two_letters_gives_both() -> None:
    cmap = "1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <00740074> endbfchar"
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>"
    data = page_of("BT /F1 20 Tf 60 700 Td (A) Tj ET", font=font, more=(stream(cmap),))
    assert texts_of(data) == ["tt"]


def test_emoji_do_no_harm() -> None:
    cmap = "1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <D83DDE00> endbfchar"
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>"
    data = page_of("BT /F1 20 Tf 60 700 Td (Paid A A A A A 12.50) Tj ET", font=font, more=(stream(cmap),))
    assert texts_of(data) == ["Paid", "12.50"]


@pytest.mark.parametrize("spacing", [4, 8])
def test_a_word_set_wide_is_one_word(spacing: int) -> None:
    content = f"BT /F1 12 Tf {spacing} Tc 60 700 Td (INVOICE) Tj ET BT /F1 12 Tf 0 Tc 60 650 Td (Total 5.00) Tj ET"
    assert texts_of(page_of(content)) == ["INVOICE", "Total", "5.00"]


def test_single_letters_of_a_table_stay_apart() -> None:
    def row(canvas: Canvas) -> None:
        for column, letter in enumerate("ABCDE"):
            canvas.drawString(72 + 60 * column, 700, letter)
        for column, digit in enumerate("12345"):
            canvas.drawString(72 + 20 * column, 650, digit)

    assert texts_of(drawn(row)) == [*"ABCDE", *"12345"]


def test_text_that_runs_up_the_page_is_read() -> None:
    def upwards(canvas: Canvas) -> None:
        canvas.rotate(90)
        canvas.drawString(200, -100, "Registered 12345")

    words = words_of(drawn(upwards))
    assert sorted(word.text for word in words) == ["12345", "Registered"]
    assert all(word.box.height > word.box.width for word in words)


@pytest.mark.parametrize(
    ("hidden", "content"),
    [
        ("not painted", "BT /F1 12 Tf 3 Tr 60 600 Td (Secret 1) Tj ET"),
        ("clipped away", "BT /F1 12 Tf 7 Tr 60 600 Td (Secret 1) Tj ET"),
        ("white", "1 g BT /F1 12 Tf 60 600 Td (Secret 1) Tj ET"),
        ("tiny", "BT /F1 1 Tf 60 600 Td (Secret 1) Tj ET"),
        ("scaled down", "BT /F1 12 Tf 0.05 0 0 0.05 60 600 Tm (Secret 1) Tj ET"),
        ("off the page", "BT /F1 12 Tf -500 600 Td (Secret 1) Tj ET"),
        ("transparent", "/G1 gs BT /F1 12 Tf 60 600 Td (Secret 1) Tj ET"),
        ("outside its clip", "q 300 300 50 50 re W n BT /F1 12 Tf 60 600 Td (Secret 1) Tj ET Q"),
    ],
)
def test_what_nobody_sees_is_not_read(hidden: str, content: str) -> None:
    page = "/Resources<</Font<</F1 5 0 R>>/ExtGState<</G1<</ca 0>>>>>>"
    data = page_of("BT /F1 12 Tf 60 700 Td (Total 5.00) Tj ET\n" + content).replace(
        b"/Resources<</Font<</F1 5 0 R>>>>", page.encode()
    )
    assert texts_of(data) == ["Total", "5.00"], hidden


def test_white_text_on_a_dark_bar_is_read() -> None:
    content = "0 0 0.4 rg 50 590 300 30 re f 1 g BT /F1 12 Tf 60 600 Td (Total 5.00) Tj ET"
    assert texts_of(page_of(content)) == ["Total", "5.00"]
