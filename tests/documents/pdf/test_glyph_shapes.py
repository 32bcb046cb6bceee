"""A font that is wrong about its digits or letters does not decide what a page shows."""

from collections.abc import Mapping
from io import BytesIO
from itertools import permutations
from random import Random

import pytest
from reportlab.pdfbase import pdfmetrics, ttfonts
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.limits import Limits
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf import read_pdf
from serve_app.documents.pdf.text_layer import read_layers
from serve_app.domain.document import DISPUTED
from tests.support.pdfs import LINES, drawn, write_lines

FONTS = (
    "DejaVuSans",
    "DejaVuSans-Bold",
    "DejaVuSerif",
    "DejaVuSansMono",
    "LiberationSans-Regular",
    "LiberationSerif-Bold",
)
FOLDER = {"DejaVu": "dejavu", "Libera": "liberation"}
HONEST: Mapping[str, str] = {}


def printed_in(font: str, meaning: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> bytes:
    """An invoice in an embedded font, whose table of meanings gives some characters other meanings."""
    make = ttfonts.makeToUnicodeCMap

    def changed(name: str, subset: list[int]) -> str:
        table: str = make(name, [ord(meaning.get(chr(code), chr(code))) for code in subset])
        return table

    monkeypatch.setattr(ttfonts, "makeToUnicodeCMap", changed)
    pdfmetrics.registerFont(ttfonts.TTFont(font, f"/usr/share/fonts/truetype/{FOLDER[font[:6]]}/{font}.ttf"))
    buffer = BytesIO()
    canvas = Canvas(buffer)
    canvas.setFont(font, 11)
    for row, line in enumerate((*LINES, "0123456789")):
        canvas.drawString(72, 770 - 24 * row, line)
    canvas.save()
    monkeypatch.undo()
    return buffer.getvalue()


def has_odd_digits(data: bytes) -> bool:
    (layer,) = read_layers(data, Limits())
    return layer.has_odd_digits


def has_odd_letters(data: bytes) -> bool:
    (layer,) = read_layers(data, Limits())
    return layer.has_odd_letters


@pytest.mark.parametrize("font", FONTS)
def test_digits_and_letters_that_look_like_themselves_are_believed(font: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = printed_in(font, HONEST, monkeypatch)
    assert not has_odd_digits(data)
    assert not has_odd_letters(data)


def test_a_font_that_is_not_embedded_is_believed() -> None:
    assert not has_odd_digits(drawn(write_lines))
    assert not has_odd_letters(drawn(write_lines))


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize(("one", "other"), [("N", "T"), ("e", "r"), ("a", "o"), ("T", "H")])
def test_letters_that_mean_one_another_are_noticed(
    font: str, one: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert has_odd_letters(printed_in(font, {one: other, other: one}, monkeypatch))


@pytest.mark.parametrize("line", ["MENU OF NOON", "MENU DEL DIA", "ALMOST"])
def test_letter_that_is_drawn_unusually_is_no_other_one(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The "M" of this font is more like an "N" or an "H" of others, whether the page prints these or not."""
    monkeypatch.setattr("tests.documents.pdf.test_glyph_shapes.LINES", (line,))
    assert not has_odd_letters(printed_in("LiberationMono-Bold", HONEST, monkeypatch))


def test_the_picture_decides_what_name_a_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    swapped = printed_in("DejaVuSans", {"N": "T", "T": "N"}, monkeypatch)
    texts = [word.text for word in read_pdf(swapped, ReadOptions()).pages[0].words]
    assert texts[:2] == ["Northwind", "Traders"]


@pytest.mark.parametrize("font", FONTS)
def test_digits_that_mean_one_another_are_noticed(font: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for one, other in permutations("0123456789", 2):
        if one < other:
            assert has_odd_digits(printed_in(font, {one: other, other: one}, monkeypatch)), (one, other)


@pytest.mark.parametrize("meaning", [{"7": "1"}, {"1": "7"}, {"3": "8"}, {"5": "6"}])
def test_two_digits_of_one_meaning_are_noticed(meaning: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert has_odd_digits(printed_in("DejaVuSans", meaning, monkeypatch))


def test_the_picture_decides_what_number_a_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    swapped = printed_in("DejaVuSans", {"1": "7", "7": "1"}, monkeypatch)
    (page,) = read_pdf(swapped, ReadOptions()).pages
    confidence = {word.text: word.confidence for word in page.words}
    assert confidence["INV-2024-0117"] < 0.5
    assert confidence["54.00"] == 1.0


@pytest.mark.parametrize("seed", range(3))
def test_no_number_that_the_page_does_not_show_is_certain(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)  # noqa: S311 - a repeatable choice
    digits = random.sample("0123456789", random.choice((2, 3, 10)))
    meaning = dict(zip(digits, [*digits[1:], digits[0]], strict=True))
    data = printed_in(random.choice(FONTS), meaning, monkeypatch)
    shown = set(" ".join(LINES).split())
    (page,) = read_pdf(data, ReadOptions()).pages
    numbers = [word for word in page.words if any(map(str.isdigit, word.text)) and word.text != "0123456789"]
    assert len(numbers) > 5
    assert [word.text for word in numbers if word.confidence > DISPUTED and word.text not in shown] == []
