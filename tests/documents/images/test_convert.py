"""TIFF and WebP become PDFs that show the same."""

from io import BytesIO
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pytest
from PIL import Image, ImageDraw

from serve_app.documents.images.convert import picture_as_pdf
from serve_app.documents.limits import MIB, Limits
from serve_app.documents.sniff import PDF, is_convertible, sniff
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

LIMITS = Limits(max_pages=5, max_pixels=4_000_000)


def page(number: int, mode: str = "L", size: tuple[int, int] = (850, 1100)) -> Image.Image:
    """White, with a black bar whose place tells the number."""
    image = Image.new("L", size, 255)
    ImageDraw.Draw(image).rectangle((100, 100 * number, 400, 100 * number + 50), fill=0)
    return image.convert(mode)


def saved(*pages: Image.Image, kind: str = "TIFF", **options: object) -> bytes:
    buffer = BytesIO()
    pages[0].save(buffer, kind, save_all=len(pages) > 1, append_images=pages[1:], **options)
    return buffer.getvalue()


def drawn(pdf: bytes, index: int = 0) -> "np.ndarray[Any, Any]":
    with pdfium.PdfDocument(pdf) as document:
        return np.asarray(document[index].render(scale=100 / 72).to_pil().convert("L"))


def is_black(pdf: bytes, number: int, index: int = 0) -> bool:
    picture = drawn(pdf, index)
    height, width = picture.shape
    bar, below = (picture[int((100 * number + y) / 1100 * height), int(250 / 850 * width)] for y in (25, 80))
    return bool(bar < 60 and below > 200)


@pytest.mark.parametrize("mode", ["1", "L", "RGB", "RGBA", "P", "CMYK", "LA"])
@pytest.mark.parametrize("compression", ["raw", "tiff_lzw", "tiff_adobe_deflate"])
def test_every_kind_of_tiff_looks_the_same(mode: str, compression: str) -> None:
    data = saved(page(3, mode), compression=compression, dpi=(100, 100))
    assert is_convertible(data)
    made = picture_as_pdf(data, LIMITS, MIB)
    assert sniff(made) == PDF
    assert drawn(made).shape == (1100, 850)
    assert is_black(made, 3)


def test_each_page_of_a_tiff_is_a_page() -> None:
    made = picture_as_pdf(saved(page(1, "1"), page(2, "L"), page(3, "RGB"), compression="tiff_lzw"), LIMITS, MIB)
    assert len(pdfium.PdfDocument(made)) == 3
    assert [is_black(made, number, number - 1) for number in (1, 2, 3)] == [True] * 3


def test_a_webp_is_one_page_of_usual_size() -> None:
    made = picture_as_pdf(saved(page(4, "RGB", (1700, 2200)), kind="WEBP", lossless=True), LIMITS, MIB)
    (size,) = [page.get_size() for page in pdfium.PdfDocument(made)]
    assert max(size) == pytest.approx(842, abs=1)


def test_the_same_picture_gives_the_same_file() -> None:
    data = saved(page(1), page(2))
    assert picture_as_pdf(data, LIMITS, MIB) == picture_as_pdf(data, LIMITS, MIB)


def test_a_turned_picture_is_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    made = picture_as_pdf(saved(page(3).rotate(90, expand=True), kind="WEBP", lossless=True, exif=exif), LIMITS, MIB)
    assert is_black(made, 3)


def test_a_small_copy_of_a_page_is_no_page() -> None:
    with BytesIO() as buffer:
        page(1).save(buffer, "TIFF", save_all=True, append_images=[page(1).resize((85, 110))])
        whole = bytearray(buffer.getvalue())
    assert len(pdfium.PdfDocument(picture_as_pdf(bytes(whole), LIMITS, MIB))) == 2
    reduced = page(1).resize((85, 110))
    reduced.encoderinfo = {"tiffinfo": {254: 1}}
    data = saved(page(1), reduced)
    assert len(pdfium.PdfDocument(picture_as_pdf(data, LIMITS, MIB))) == 1


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (saved(*(page(1, "1"),) * 6), FailureCode.DOCUMENT_TOO_LARGE),
        (saved(page(1, "1", (3000, 3000)), compression="group4"), FailureCode.DOCUMENT_TOO_LARGE),
        (saved(page(1))[:3000], FailureCode.DOCUMENT_UNREADABLE),
        (b"II*\0" + b"\xff" * 100, FailureCode.DOCUMENT_UNREADABLE),
        (b"RIFF\x10\0\0\0WEBPVP8 " + b"\xff" * 100, FailureCode.DOCUMENT_UNREADABLE),
    ],
    ids=["too many pages", "too many pixels", "cut off", "no TIFF", "no WebP"],
)
def test_what_cannot_be_a_document_says_why(data: bytes, code: FailureCode) -> None:
    with pytest.raises(DocumentError) as error:
        picture_as_pdf(data, LIMITS, MIB)
    assert error.value.code is code


def test_a_file_that_gets_too_large_is_refused() -> None:
    noise = Image.effect_noise((1500, 1500), 90)
    with pytest.raises(DocumentError, match="too large"):
        picture_as_pdf(saved(noise), LIMITS, 10_000)
