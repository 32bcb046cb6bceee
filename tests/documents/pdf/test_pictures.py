"""Pages that are read as pictures."""

import shutil
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pdf2image.pdf2image
import pypdfium2 as pdfium
import pytest
from pdf2image.parsers import parse_buffer_to_ppm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.images.picture import Picture
from serve_app.documents.limits import Limits
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf import read_pdf, scan
from serve_app.documents.pdf.scan import dpi_for, render
from serve_app.domain.document import Box, Page, TextSource, Word
from serve_app.domain.einvoice import EInvoice, EInvoiceSyntax
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from tests.support.pdfs import LINES, drawn, picture_of, place, write_lines

SCAN = picture_of(drawn(write_lines))
A4 = (595.0, 842.0)
# Few pixels, quick tests.
OPTIONS = ReadOptions(limits=Limits(max_pixels=500_000))


def scanned(canvas: Canvas) -> None:
    place(canvas, SCAN)


def stamped(canvas: Canvas) -> None:
    """A scan with something drawn on it, which is not one picture."""
    scanned(canvas)
    canvas.line(100, 100, 300, 100)


class FakeOcr:
    """Sees one word wherever it looks, and remembers where that was."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, Picture]] = []

    def __call__(self, picture: Picture, number: int, width: float, height: float, options: ReadOptions) -> Page:
        self.seen.append((number, picture))
        word = Word("seen", Box(0.1, 0.8, 0.3, 0.9), 0.7)
        return Page(number, width, height, (word,), TextSource.OCR)


@pytest.fixture
def ocr(monkeypatch: pytest.MonkeyPatch) -> FakeOcr:
    fake = FakeOcr()
    monkeypatch.setattr("serve_app.documents.pdf.document.read_page", fake)
    return fake


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def rewritten(data: bytes, change: Callable[[pdfium.PdfDocument], None]) -> bytes:
    file = pdfium.PdfDocument(data)
    change(file)
    buffer = BytesIO()
    file.save(buffer)
    file.close()
    return buffer.getvalue()


def test_only_the_pages_that_need_it_are_rendered(ocr: FakeOcr, folder: Path) -> None:
    document = read_pdf(drawn(write_lines, scanned, write_lines), OPTIONS)
    assert [number for number, _ in ocr.seen] == [2]
    sources = [page.source for page in document.pages]
    assert sources == [TextSource.TEXT_LAYER, TextSource.OCR, TextSource.TEXT_LAYER]
    assert [page.number for page in document.pages] == [1, 2, 3]
    assert not list(folder.iterdir())


def test_an_embedded_invoice_comes_along(ocr: FakeOcr, monkeypatch: pytest.MonkeyPatch) -> None:
    einvoice = EInvoice(EInvoiceSyntax.CII, "Factur-X EN 16931", number="4711")
    monkeypatch.setattr("serve_app.documents.pdf.document.read_einvoice", lambda data: einvoice)
    assert read_pdf(drawn(write_lines), OPTIONS).einvoice is einvoice
    assert read_pdf(drawn(scanned), OPTIONS).einvoice is einvoice


def test_nothing_is_left_behind_when_ocr_fails(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    def broken(*_: object) -> Page:
        raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, "too large")

    monkeypatch.setattr("serve_app.documents.pdf.document.read_page", broken)
    with pytest.raises(DocumentError):
        read_pdf(drawn(scanned), OPTIONS)
    assert not list(folder.iterdir())


def test_a_pasted_picture_adds_its_words_to_the_layer(ocr: FakeOcr) -> None:
    def mixed(canvas: Canvas) -> None:
        write_lines(canvas, LINES[:4])
        place(canvas, SCAN, 50, 50, 400)

    (page,) = read_pdf(drawn(mixed), OPTIONS).pages
    assert page.source is TextSource.TEXT_LAYER
    assert [word.text for word in page.words] == [*" ".join(LINES[:4]).split(), "seen"]
    assert [word.confidence for word in page.words][-2:] == [1.0, 0.7]
    ((_, picture),) = ocr.seen
    top = picture[: len(picture) // 6]
    assert top.min() == 255, "words of the layer are wiped out before OCR"


def test_a_page_that_is_one_picture_is_read_as_that_picture(ocr: FakeOcr) -> None:
    picture = SCAN.resize((1653, 2339))
    read_pdf(drawn(lambda canvas: canvas.drawImage(ImageReader(picture), 0, 0, *A4), size=A4), ReadOptions())
    ((_, seen),) = ocr.seen
    assert np.array_equal(seen, np.asarray(picture))


def placed_wide(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(SCAN), 0, 0, A4[0], A4[1] / 2)


def placed_small(canvas: Canvas) -> None:
    place(canvas, SCAN, 100, 100, 300)


@pytest.mark.parametrize("page", [stamped, placed_wide, placed_small])
def test_any_other_page_is_rendered_at_300_dpi(ocr: FakeOcr, page: Callable[[Canvas], None]) -> None:
    read_pdf(drawn(page), ReadOptions())
    ((_, picture),) = ocr.seen
    assert max(picture.shape) == pytest.approx(A4[1] / 72 * 300, abs=2)


def test_a_picture_that_pdfium_cannot_decode_is_left_to_poppler(ocr: FakeOcr, monkeypatch: pytest.MonkeyPatch) -> None:
    jpeg = BytesIO()
    SCAN.save(jpeg, "JPEG")
    data = drawn(lambda canvas: canvas.drawImage(ImageReader(jpeg), 0, 0, *A4)).replace(b"/DCTDecode", b"/JPXDecode")
    monkeypatch.setattr("serve_app.documents.pdf.document.render", lambda *_: np.asarray(SCAN))
    read_pdf(data, OPTIONS)
    ((_, picture),) = ocr.seen
    assert np.array_equal(picture, np.asarray(SCAN))


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_picture_is_the_page_as_it_is_shown(ocr: FakeOcr, rotation: int) -> None:
    def turned_and_cropped(file: pdfium.PdfDocument) -> None:
        file[0].set_cropbox(0, 421, 595, 842)
        file[0].set_rotation(rotation)

    data = rewritten(drawn(scanned), turned_and_cropped)
    (page,) = read_pdf(data, OPTIONS).pages
    ((_, picture),) = ocr.seen
    assert picture.shape[1] / picture.shape[0] == pytest.approx(page.width / page.height, rel=0.01)
    shown = np.asarray(picture_of(data, 100).convert("L").resize(picture.shape[1::-1])).astype(float)
    assert np.abs(shown - picture.mean(axis=2)).mean() < 10


def test_what_poppler_cannot_open_is_repaired_first(ocr: FakeOcr, monkeypatch: pytest.MonkeyPatch) -> None:
    names = []

    def picky(path: Path, number: int, dpi: int, limits: Limits) -> Picture:
        names.append(path.name)
        if len(names) == 1:
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, "damaged")
        return render(path, number, dpi, limits)

    monkeypatch.setattr("serve_app.documents.pdf.document.render", picky)
    (_, page) = read_pdf(drawn(write_lines, stamped), OPTIONS).pages
    assert names == ["document.pdf", "page-2.pdf"]
    assert page.words[0].text == "seen"


@pytest.mark.parametrize(
    ("size", "resolution", "limits", "dpi"),
    [
        (A4, 0.0, Limits(), 300),
        (A4, 200 / 72, Limits(), 300),
        (A4, 600 / 72, Limits(), 300),
        ((200.0, 300.0), 600 / 72, Limits(), 600),
        ((3000.0, 4000.0), 1.0, Limits(), 131),
        (A4, 0.0, Limits(max_pixels=1_000_000), 101),
    ],
    ids=["A4", "a coarse scan", "a fine scan", "a small page with a fine picture", "a poster", "a low cap"],
)
def test_the_dpi_suit_page_and_limits(size: tuple[float, float], resolution: float, limits: Limits, dpi: int) -> None:
    assert dpi_for(*size, resolution, limits) == pytest.approx(dpi, abs=1)


@pytest.mark.parametrize("size", [(1e6, 1e6), (float("inf"), 1.0), (float("nan"), 1.0), (0.0, 100.0)])
def test_a_page_without_a_sane_size_is_too_large(size: tuple[float, float]) -> None:
    with pytest.raises(DocumentError) as caught:
        dpi_for(*size, 1.0, Limits())
    assert caught.value.code is FailureCode.DOCUMENT_TOO_LARGE


def test_a_page_that_renders_for_ever_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "pdftoppm"
    program.write_text(f'#!/bin/sh\n[ "$1" = -v ] && exec {shutil.which("pdftoppm")} -v\nexec sleep 60\n')
    program.chmod(0o755)
    path = tmp_path / "a.pdf"
    path.write_bytes(drawn(scanned))
    find = pdf2image.pdf2image._get_command_path
    monkeypatch.setattr(
        pdf2image.pdf2image,
        "_get_command_path",
        lambda command, folder=None: str(program) if command == "pdftoppm" else find(command, folder),
    )
    with pytest.raises(DocumentError, match="takes more than 1 s") as caught:
        render(path, 1, 72, Limits(page_seconds=2))
    assert caught.value.code is FailureCode.DOCUMENT_TOO_LARGE


def test_a_file_that_cannot_be_rendered_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7\nnothing")
    with pytest.raises(DocumentError) as caught:
        render(path, 1, 72, Limits())
    assert caught.value.code is FailureCode.DOCUMENT_UNREADABLE


def test_the_pixels_that_poppler_wrote_are_taken_as_they_are() -> None:
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    (image,) = parse_buffer_to_ppm(b"P6\n3 2\n255\n" + pixels.tobytes())
    assert np.array_equal(scan._pixels(image), pixels)


def test_what_poppler_did_not_write_to_its_end_is_damaged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cut = parse_buffer_to_ppm(b"P6\n3 2\n255\n" + bytes(5))
    monkeypatch.setattr(scan, "convert_from_path", lambda *_, **__: cut)
    with pytest.raises(DocumentError, match="damaged"):
        render(tmp_path / "a.pdf", 1, 72, Limits())
