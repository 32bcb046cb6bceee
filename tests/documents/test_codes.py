"""Codes in pictures."""

import numpy as np
import pytest
import zxingcpp

from serve_app.documents.codes import read_codes
from serve_app.documents.images.picture import Picture
from serve_app.domain.code_kinds import MOST_CODES

TEXT = "SPD*1.0*ACC:CZ5855000000001265098001*AM:480.50*CC:CZK*X-VS:1234567890"
KEY = "35240112345678000190550010000012341000012340"
KINDS = ["QRCode", "Aztec", "DataMatrix", "PDF417", "Code128"]


def page(*codes: tuple[str, int, int], scale: int = 3) -> Picture:
    """A white page with codes of some kinds, each at x and y."""
    paper = np.full((1200, 1200, 3), 255, np.uint8)
    for kind, x, y in codes:
        text = KEY if kind == "Code128" else TEXT
        drawn = np.asarray(zxingcpp.create_barcode(text, getattr(zxingcpp.BarcodeFormat, kind)).to_image(scale=scale))
        paper[y : y + drawn.shape[0], x : x + drawn.shape[1]] = drawn[..., None]
    return paper


@pytest.mark.parametrize("kind", KINDS)
def test_code_and_its_place(kind: str) -> None:
    (code,) = read_codes(page((kind, 200, 600)))

    assert len(code.text) in (len(TEXT), 44)
    assert 1 / 6 <= code.box.x0 < code.box.x1 <= 1
    assert 0.5 <= code.box.y0 < code.box.y1 <= 1


def test_codes_come_in_reading_order() -> None:
    found = read_codes(page(("QRCode", 500, 700), ("DataMatrix", 100, 100)))

    assert [code.box.y0 < 0.5 for code in found] == [True, False]


def test_grey_picture() -> None:
    assert read_codes(page(("QRCode", 100, 100))[:, :, 0]) == read_codes(page(("QRCode", 100, 100)))


def test_page_without_code() -> None:
    assert read_codes(page()) == ()


def test_number_of_codes_is_limited() -> None:
    many = np.full((1200, 1200), 255, np.uint8)
    for place in range(25):
        label = zxingcpp.create_barcode(f"label {place}", zxingcpp.BarcodeFormat.DataMatrix)
        code = np.asarray(label.to_image(scale=6))
        x, y = 40 + 220 * (place % 5), 40 + 220 * (place // 5)
        many[y : y + code.shape[0], x : x + code.shape[1]] = code

    assert len(read_codes(many)) == MOST_CODES
