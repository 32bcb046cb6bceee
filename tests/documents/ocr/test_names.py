"""Names that OCR read are compared with what else the page prints, and with other readings of them."""

from collections.abc import Sequence

import numpy as np
import pytest

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr import names
from serve_app.documents.ocr.engines import LineReading
from serve_app.documents.ocr.names import with_names_checked
from serve_app.documents.options import OcrOptions
from serve_app.domain.document import DISPUTED, Box, Word

PAPER = np.full((1000, 800, 3), 255, np.uint8)
BODY = ("Invoice number 2024-117", "Date 05.03.2024", "Paper 10 4.50 45.00", "Total 45.00")
LARGE, SMALL = 0.06, 0.02


def line(text: str, y: float, height: float) -> list[Word]:
    """A line of words, whose letters are half as wide as they are high."""
    words, x = [], 0.05
    for part in text.split():
        width = 0.5 * height * len(part)
        words.append(Word(part, Box(x, y, x + width, y + height), 0.9))
        x += width + 0.3 * height
    return words


def page(logo: str, *footer: str) -> list[Word]:
    lines = ((text, 0.2 + 0.05 * row, SMALL) for row, text in enumerate((*BODY, *footer)))
    return [word for text, y, height in ((logo, 0.05, LARGE), *lines) for word in line(text, y, height)]


def checked(words: Sequence[Word], monkeypatch: pytest.MonkeyPatch, *readings: str) -> list[Word]:
    """The words of the largest print, after each of some engines has read it in this way."""

    def reader(text: str) -> LineReading:
        return lambda lines: [(text, 0.95)] * len(lines)

    monkeypatch.setattr(names, "line_readers", lambda options: [reader(text) for text in readings])
    return [word for word in with_names_checked(words, PAPER, OcrOptions()) if word.box.height > 2 * SMALL]


def texts(words: Sequence[Word]) -> list[str]:
    return [word.text for word in words]


def is_certain(words: Sequence[Word]) -> bool:
    return all(word.confidence > DISPUTED for word in words)


def test_a_name_that_is_read_in_one_way_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    words = page("LIDEL", "www.lidel.com")
    assert checked(words, monkeypatch, "LIDEL", "Lidel.") == words[:1]


def test_an_address_decides_between_two_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    found = checked(page("LDEL", "info@lidel.com"), monkeypatch, "LDEL", "LIDEL")
    assert texts(found) == ["LIDEL"]
    assert is_certain(found)


def test_a_footer_decides_if_it_agrees_with_another_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    found = checked(page("OIICO Foods", "OILCO Foods, Bristol"), monkeypatch, "OIICO Foods", "OILCO Foods")
    assert texts(found)[1:] == ["Foods"]
    assert not is_certain(found)
    found = checked(page("OIICO Foods", "OILCO Foods, Bristol"), monkeypatch, "OILCO Foods", "OILCO Foods")
    assert texts(found) == ["OILCO", "Foods"]


def test_a_lost_blank_is_found_where_the_name_is_printed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found = checked(page("OILCOMarket", "OILCO Market | Bristol"), monkeypatch, "OILCOMarket", "OILCOMarket")
    assert texts(found) == ["OILCO", "Market"]
    assert found[0].box.x1 < found[1].box.x0
    assert is_certain(found)


def test_letters_set_apart_are_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    found = checked(page("PANIFICIO", "PA NIFICI O"), monkeypatch, "PANIFICIO", "PA NIFICI O")
    assert texts(found) == ["PANIFICIO"]


def test_a_name_that_is_printed_in_two_ways_is_uncertain(monkeypatch: pytest.MonkeyPatch) -> None:
    found = checked(page("Orbis Garde", "Orbis Garden"), monkeypatch, "Orbis Garde", "Orbis Garde")
    assert texts(found) == ["Orbis", "Garde"]
    assert not is_certain(found)


def test_two_readings_without_support_leave_the_first_one_uncertain(monkeypatch: pytest.MonkeyPatch) -> None:
    found = checked(page("LDEL Tools"), monkeypatch, "LIDEL Tools", "LIDEL Tools")
    assert texts(found) == ["LDEL", "Tools"]
    assert [word.confidence for word in found] == [DISPUTED, 0.9]


def test_one_reading_against_two_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    words = page("LIDEL Tools")
    assert checked(words, monkeypatch, "LIDEL Tools", "LIDL Tools") == words[:2]


def test_an_unsure_reading_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsure(lines: Sequence[Picture]) -> list[tuple[str, float]]:
        return [("LIDL", 0.3)] * len(lines)

    monkeypatch.setattr(names, "line_readers", lambda options: [unsure, unsure])
    words = page("LIDEL")
    assert with_names_checked(words, PAPER, OcrOptions()) == words


def test_a_name_is_uncertain_if_an_address_differs_by_a_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    found = checked(page("LDEL GmbH", "www.lidel.com"), monkeypatch, "LDEL GmbH", "LDEL GmbH")
    assert texts(found) == ["LDEL", "GmbH"]
    assert not is_certain(found)


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("Bäckerei Mühlthal", "info@baeckerei-muehlthal.de"),
        ("Nordsø Værft", "www.nordsovaerft.no"),
        ("Harlan's", "www.harlan.com"),
    ],
)
def test_an_address_without_accents_is_no_other_name(name: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = page(name, address)
    assert checked(words, monkeypatch, name, name) == words[: len(name.split())]


def test_numbers_are_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    words = page("45.00")
    assert checked(words, monkeypatch, "45.06", "45.06") == words[:1]


def test_legal_forms_are_left_to_what_is_known_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    words = page("Orbis S.r.l.", "Orbis S.r.I.")
    assert texts(checked(words, monkeypatch, "Orbis S.r.I.", "Orbis S.r.I.")) == ["Orbis", "S.r.l."]


def test_each_word_of_a_page_is_folded_once_whatever_the_number_of_names(monkeypatch: pytest.MonkeyPatch) -> None:
    folded: list[str] = []

    def counting(text: str) -> str:
        folded.append(text)
        return text.casefold()

    monkeypatch.setattr(names, "folded", counting)
    checked(page("LIDEL", *[f"Firm{number} GmbH" for number in range(6)]), monkeypatch, "LIDEL")
    assert folded.count("2024-117") == 1
