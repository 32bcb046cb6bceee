"""Every picture file becomes the pixels that a viewer shows, or a clear failure."""

import struct
import zlib
from io import BytesIO

import numpy as np
import pillow_heif
import pytest
from PIL import Image, ImageDraw, ImageFile, ImageFont

from serve_app.documents.images.decode import decode
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from tests.documents.images.printed import file_of, printed

MAX_PIXELS = 1_000_000
RED, GREEN = (250, 20, 20), (20, 250, 20)


def halves(mode: str = "RGB") -> Image.Image:
    """Left half red, right half green; wide."""
    image = Image.new("RGB", (64, 32), RED)
    image.paste(GREEN, (32, 0, 64, 32))
    return image.convert(mode)


def corner(picture: np.ndarray, x: int, y: int) -> str:
    red, green, _ = (int(value) for value in picture[y, x])
    return "red" if red > green + 100 else "green" if green > red + 100 else "other"


def heic(image: Image.Image) -> bytes:
    buffer = BytesIO()
    pillow_heif.from_pillow(image).save(buffer, quality=90)
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "HEIC"])
def test_a_coloured_picture_keeps_its_colours_and_size(kind: str) -> None:
    data = heic(halves()) if kind == "HEIC" else file_of(halves(), kind)
    picture = decode(data, MAX_PIXELS)
    assert picture.shape == (32, 64, 3)
    assert (corner(picture, 4, 4), corner(picture, 60, 28)) == ("red", "green")


@pytest.mark.parametrize(
    ("orientation", "shape", "top_left", "bottom_right"),
    [
        (2, (32, 64, 3), "green", "red"),
        (3, (32, 64, 3), "green", "red"),
        (4, (32, 64, 3), "red", "green"),
        (6, (64, 32, 3), "red", "green"),
        (8, (64, 32, 3), "green", "red"),
    ],
)
def test_exif_turns_the_picture(orientation: int, shape: tuple[int, ...], top_left: str, bottom_right: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    picture = decode(file_of(halves(), "JPEG", exif=exif.tobytes(), quality=95), MAX_PIXELS)
    assert picture.shape == shape
    height, width = shape[:2]
    assert (corner(picture, 3, 3), corner(picture, width - 4, height - 4)) == (top_left, bottom_right)


def test_broken_exif_does_no_harm() -> None:
    data = file_of(halves(), "JPEG", exif=b"Exif\x00\x00II*\x00\xff\xff\xff\xff\x01")
    assert decode(data, MAX_PIXELS).shape == (32, 64, 3)


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "CMYK", "YCbCr"])
def test_white_paper_is_white_and_print_is_dark_in_every_mode(mode: str) -> None:
    image = Image.new("RGB", (40, 40), "white")
    image.paste("black", (0, 0, 20, 40))
    kind = "JPEG" if mode in ("CMYK", "YCbCr") else "PNG"
    picture = decode(file_of(image.convert(mode), kind), MAX_PIXELS)
    assert picture[20, 36].min() > 240
    assert picture[20, 4].max() < 60


def test_cmyk_without_adobes_mark_is_not_taken_for_inverted() -> None:
    data = file_of(Image.new("CMYK", (32, 32), (0, 0, 0, 0)), "JPEG")
    start = data.index(b"\xff\xee")
    length = int.from_bytes(data[start + 2 : start + 4], "big")
    plain = data[:start] + data[start + 2 + length :]
    assert decode(data, MAX_PIXELS).min() > 240
    # The same stored values mean full ink if nothing marks them as inverted.
    assert decode(plain, MAX_PIXELS).max() < 15


def test_what_is_transparent_is_white() -> None:
    image = Image.new("RGBA", (32, 32), (0, 0, 0, 0))
    image.paste((0, 0, 0, 255), (0, 0, 16, 32))
    picture = decode(file_of(image, "PNG"), MAX_PIXELS)
    assert picture[16, 28].tolist() == [255, 255, 255]
    assert picture[16, 4].tolist() == [0, 0, 0]


class TestTransparentGround:
    @staticmethod
    def inked(colour: str, *, paper: str | None = None) -> np.ndarray:
        """A line of print in this colour on nothing, or on a sheet with nothing around it."""
        image = Image.new("RGBA", (320, 100), (0, 0, 0, 0))
        if paper:
            image.paste(paper, (20, 10, 300, 90))
        ImageDraw.Draw(image).text((40, 30), "Total 576.00", fill=colour, font=ImageFont.truetype("DejaVuSans.ttf", 24))
        return decode(file_of(image, "PNG"), MAX_PIXELS)

    @pytest.mark.parametrize("colour", ["white", "#ddeeff", "#ffe000"])
    def test_light_print_is_shown_on_black(self, colour: str) -> None:
        picture = self.inked(colour)
        assert picture[2, 2].tolist() == [0, 0, 0]
        assert picture.max() > 200

    @pytest.mark.parametrize("colour", ["black", "#203060", "#c02020", "#808080"])
    def test_dark_print_is_shown_on_white(self, colour: str) -> None:
        assert self.inked(colour)[2, 2].tolist() == [255, 255, 255]

    def test_print_on_a_sheet_with_nothing_around_it_is_shown_on_white(self) -> None:
        assert self.inked("black", paper="white")[2, 2].tolist() == [255, 255, 255]


def test_sixteen_bits_become_eight() -> None:
    grey = np.full((20, 20), 0x8000, np.uint16)
    grey[:, 10:] = 0xFFFF
    picture = decode(file_of(Image.fromarray(grey), "PNG"), MAX_PIXELS)
    assert picture[5, 5].tolist() == [128, 128, 128]
    assert picture[5, 15].tolist() == [255, 255, 255]


def test_of_an_animation_the_first_picture_counts() -> None:
    data = file_of(halves(), "PNG", save_all=True, append_images=[Image.new("RGB", (64, 32), "blue")])
    assert corner(decode(data, MAX_PIXELS), 4, 4) == "red"


def test_of_a_phones_several_pictures_the_first_counts() -> None:
    data = file_of(halves(), "MPO", save_all=True, append_images=[Image.new("RGB", (64, 32), "blue")])
    assert corner(decode(data, MAX_PIXELS), 4, 4) == "red"


def huge_png() -> bytes:
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunks = b"".join(
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
        for chunk in (b"IHDR" + header, b"IDAT" + zlib.compress(bytes(100)))
    )
    return b"\x89PNG\r\n\x1a\n" + chunks


def huge_jpeg() -> bytes:
    data = bytearray(file_of(halves(), "JPEG"))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", 30_000, 30_000)
    return bytes(data)


@pytest.mark.parametrize(
    "data", [huge_png(), huge_jpeg(), file_of(Image.new("L", (1001, 1000)), "PNG")], ids=["PNG", "JPEG", "just over"]
)
def test_too_many_pixels_are_refused_by_the_header_alone(data: bytes) -> None:
    with pytest.raises(DocumentError) as caught:
        decode(data, MAX_PIXELS)
    assert caught.value.code is FailureCode.DOCUMENT_TOO_LARGE


def test_a_heic_of_too_many_pixels_is_refused() -> None:
    with pytest.raises(DocumentError) as caught:
        decode(heic(halves()), 64 * 32 - 1)
    assert caught.value.code is FailureCode.DOCUMENT_TOO_LARGE


def cut(kind: str) -> bytes:
    """A file that lacks its second half."""
    image = printed().image
    data = heic(image) if kind == "HEIC" else file_of(image, kind, **({"progressive": True} if kind == "JPEG" else {}))
    return data[: len(data) // 2]


@pytest.mark.parametrize(
    "data",
    [
        *(pytest.param(cut(kind), id=f"{kind} cut in half") for kind in ("JPEG", "PNG", "HEIC")),
        pytest.param(file_of(printed().image, "JPEG")[:-200], id="JPEG without its last lines"),
        pytest.param(b"\xff\xd8\xff\xe0 no picture"[:15], id="15 bytes of JPEG"),
        pytest.param(b"\x89PNG\r\n\x1a\n", id="PNG without anything"),
        pytest.param(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(500), id="HEIC of zeros"),
        pytest.param(file_of(Image.new("L", (1, 1)), "PNG"), id="one pixel"),
    ],
)
def test_a_damaged_picture_is_unreadable(data: bytes) -> None:
    with pytest.raises(DocumentError) as caught:
        decode(data, MAX_PIXELS)
    assert caught.value.code is FailureCode.DOCUMENT_UNREADABLE


def test_a_cut_file_stays_unreadable_when_another_library_allows_cut_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)
    with pytest.raises(DocumentError):
        decode(cut("JPEG"), MAX_PIXELS)
