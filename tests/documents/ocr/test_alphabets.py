"""Pictures in alphabets that PP-OCR does not know."""

import pytest

from serve_app.documents.ocr.engines import engine
from serve_app.documents.ocr.tesseract import installed
from serve_app.documents.options import OcrOptions
from tests.documents.images.printed import pixels, printed

UKRAINIAN = (
    "Постачальник: ТОВ Медичний центр",
    "Рахунок на оплату 187442318",
    "Консультація офтальмолога повторна",
    "Разом до сплати 2326,50 грн",
)
GREEK = (
    "ΣΤΟΙΧΕΙΑ ΕΚΔΟΤΗ Επωνυμία",
    "Τιμολόγιο Πώλησης Θεσσαλονίκης",
    "Περίπτερο Σταθμός Μοναστηρίου",
    "Τελικό σύνολο 74,10 €",
)
HEBREW = ("חשבונית מס", "מגן דרך אבטחת כבישים", "סכום כולל 7,080.00", "תאריך פרעון 30.7.2025")
TWO_ALPHABETS = (
    "Получател по фактура / Recipient",
    "Данъчна основа на услугата / Tax base",
    "Сума за плащане в лева / Total due",
    "Начин на плащане по сметка / Payment",
)
LATIN = ("Pinigų priėmimo kvitas", "Mokėtojas: UAB Lėtena", "Suma žodžiais: aštuoniasdešimt", "Iš viso 86,45 €")


def words_of(lines: tuple[str, ...]) -> list[str]:
    """What the default engine reads in a picture of lines, from top to bottom and from left to right."""
    found = engine(OcrOptions()).read(pixels(printed(lines, height=28).image))
    height = 2 * 28
    return [word.text for word in sorted(found, key=lambda word: (round(word.y0 / height), word.x0))]


@pytest.mark.parametrize(
    ("alphabet", "lines", "some"),
    [
        ("Cyrillic", UKRAINIAN, {"Рахунок", "оплату", "187442318", "Консультація", "2326,50", "грн"}),
        ("Greek", GREEK, {"Τιμολόγιο", "Περίπτερο", "74,10", "€"}),
    ],
)
def test_words_are_read_in_their_alphabet_and_numbers_stay(
    alphabet: str, lines: tuple[str, ...], some: set[str]
) -> None:
    if not installed(alphabet):
        pytest.skip(f"Tesseract's model for {alphabet} letters is not installed.")
    assert some <= set(words_of(lines))


def test_words_of_two_alphabets_are_each_read_in_their_own() -> None:
    if not installed("Cyrillic"):
        pytest.skip("Tesseract's model for Cyrillic letters is not installed.")
    assert {"фактура", "плащане", "Recipient", "Total", "Payment"} <= set(words_of(TWO_ALPHABETS))


def test_letters_of_hebrew_words_are_in_the_order_in_which_they_are_written() -> None:
    if not installed("Hebrew"):
        pytest.skip("Tesseract's model for Hebrew letters is not installed.")
    # Pillow draws from right to left with the libraries that Pango brings, which setup installs.
    assert {"חשבונית", "אבטחת", "תאריך", "7,080.00"} <= set(words_of(HEBREW))


def test_words_in_latin_letters_stay() -> None:
    words = words_of(LATIN)
    assert {"kvitas", "UAB", "86,45"} <= set(words)
    assert all(ord(letter) < 0x250 or letter == "€" for word in words for letter in word)
