"""Pictures of pages are read in any orientation, and their words are where they were printed."""

import statistics

import cv2
import numpy as np
import pytest
from PIL import Image

from serve_app.documents.ocr.page import read_page
from serve_app.documents.options import ReadOptions
from serve_app.documents.reader import read_document
from serve_app.domain.document import Box, Page, TextSource
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from tests.documents.images.printed import INVOICE, centre_error, file_of, pixels, printed, text_of

OPTIONS = ReadOptions()
ACCENTS = {
    "deu": "Büromöbel Größe Übertrag",
    "fra": "Facture payée réception coût Noël façade",
    "spa": "Número señor teléfono según",
    "ita": "già così perché città più",
    "nld": "coördinatie één privé",
    "por": "serviço não você condições eletrônico",
    "tur": "ödeme şekli müşteri çağrı güneş",
    "pol": "wartość źródło usługi świąteczne żółty",
    "ces": "částka úhrady příjemce řeřicha účet kůň město",
}


def read(image: Image.Image) -> Page:
    return read_page(pixels(image), 1, float(image.width), float(image.height), OPTIONS)


def test_a_level_page_is_read_as_it_is() -> None:
    sheet = printed()
    page = read(sheet.image)
    assert text_of(page).endswith("Total amount due 576.00")
    assert (page.width, page.height, page.source) == (*sheet.image.size, TextSource.OCR)
    assert page.to_shown is None
    assert centre_error(page, sheet.places) < 0.01
    assert statistics.mean(word.confidence for word in page.words) > 0.8


def test_accents_of_every_language_survive() -> None:
    page = read(printed(tuple(ACCENTS.values()), height=28).image)
    missing = set(" ".join(ACCENTS.values()).split()) - {word.text for word in page.words}
    assert missing == set()


def turned(box: Box, quarters: int) -> Box:
    """The box on the page turned clockwise."""
    for _ in range(quarters):
        box = Box(1 - box.y1, box.x0, 1 - box.y0, box.x1)
    return box


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_page_is_read_upright(quarters: int) -> None:
    sheet = printed()
    image = sheet.image.rotate(-90 * quarters, expand=True)
    page = read(image)
    assert text_of(page).endswith("Total amount due 576.00")
    assert (page.width, page.height) == pytest.approx(sheet.image.size, abs=2)
    assert centre_error(page, {text: turned(box, quarters) for text, box in sheet.places.items()}) < 0.015


def test_a_skewed_page_is_levelled() -> None:
    sheet = printed()
    image = sheet.image.rotate(4, expand=True, fillcolor=255, resample=Image.Resampling.BICUBIC)
    page = read(image)
    assert text_of(page).endswith("Total amount due 576.00")
    total = [word.box for word in page.words[-4:]]
    assert max(box.y_center for box in total) - min(box.y_center for box in total) < 0.01
    assert page.to_shown is not None


def test_a_long_strip_is_read_at_the_size_of_its_print() -> None:
    lines = [line for text in (*INVOICE, *INVOICE) for line in (text, *[" "] * 20)]
    page = read(printed(tuple(lines), height=16).image.crop((0, 0, 460, 8000)))
    assert text_of(page).count("Total amount due 576.00") == 2
    assert text_of(page).count("INV-2024-0815") == 2


@pytest.mark.parametrize("quarters", [0, 1, 2])
def test_a_roll_in_fixed_columns_is_read_upright(quarters: int) -> None:
    rows = tuple(f"Item {number} {number}.90" for number in range(130, 190))
    image = printed(rows, height=16, font="DejaVuSansMono.ttf").image.crop((0, 0, 240, 2000))
    page = read(image.rotate(-90 * quarters, expand=True))
    assert text_of(page) == " ".join(rows)


def photographed(image: Image.Image) -> tuple[Image.Image, np.ndarray]:
    """The sheet seen aslant on a dark, rough table; and the transform of its pixels."""
    table = np.random.default_rng(7).integers(20, 70, (800, 1100), dtype=np.uint8)
    width, height = image.size
    corners = np.array([[180, 130], [930, 60], [1010, 740], [90, 660]], np.float32)
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32), corners
    )
    sheet = cv2.warpPerspective(np.asarray(image), matrix, (1100, 800), flags=cv2.INTER_AREA)
    is_sheet = cv2.warpPerspective(np.full_like(np.asarray(image), 255), matrix, (1100, 800)) > 0
    return Image.fromarray(np.where(is_sheet, np.clip(sheet, 15, 225), table).astype(np.uint8)), matrix


def test_a_sheet_on_a_photo_is_straightened_and_its_words_lead_back_to_the_photo() -> None:
    sheet = printed(height=30)
    photo, matrix = photographed(sheet.image)
    page = read(photo)
    assert "Total amount due 576.00" in text_of(page)
    total = [word.box for word in page.words[-4:]]
    assert max(box.y_center for box in total) - min(box.y_center for box in total) < 0.01
    places = {}
    for text, box in sheet.places.items():
        center = np.array([[[box.x_center * sheet.image.width, box.y_center * sheet.image.height]]], np.float32)
        x, y = cv2.perspectiveTransform(center, matrix)[0, 0] / photo.size
        places[text] = Box(x, y, x, y)
    assert centre_error(page, places) < 0.02


def test_noise_is_not_taken_for_sure_text() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (200, 300), dtype=np.uint8)
    page = read(Image.fromarray(noise))
    assert all(word.confidence < 0.9 for word in page.words)


def test_rules_and_frames_are_no_words() -> None:
    image = Image.new("L", (600, 400), 255)
    for y in (80, 200, 320):
        image.paste(0, (40, y, 560, y + 3))
    for x in (40, 300, 557):
        image.paste(0, (x, 80, x + 3, 323))
    assert read(image).words == ()


def test_words_hold_no_white_space_and_come_in_reading_order() -> None:
    page = read(printed(("first second", "third fourth")).image)
    assert [word.text for word in page.words] == ["first", "second", "third", "fourth"]


def test_a_picture_file_becomes_a_document() -> None:
    document = read_document(file_of(printed().image, "PNG"), OPTIONS)
    assert [page.number for page in document.pages] == [1]
    assert "INV-2024-0815" in text_of(document.pages[0])


def test_a_blank_picture_holds_no_text() -> None:
    with pytest.raises(DocumentError) as caught:
        read_document(file_of(Image.new("L", (300, 400), 255), "PNG"), OPTIONS)
    assert caught.value.code is FailureCode.NO_TEXT_FOUND
