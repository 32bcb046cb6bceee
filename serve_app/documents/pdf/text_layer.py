"""PDF text layers, read with PDFium."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from serve_app.documents.limits import Limits
from serve_app.domain.document import Box, Page, Word, union
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.domain.reading_order import reading_order

# PDFium keeps global state: one call at a time in a process.
_PDFIUM = Lock()

# A wider gap than this share of the character height ends a word even where the file has no space.
WORD_GAP = 0.35
_GRID = 1_000_000
_REPLACED = {"\x02": "-", "\ufffe": "-", "\xad": "-", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"}


def read_text_layer(data: bytes, limits: Limits) -> tuple[Page, ...]:
    """The words of every page's text layer.

    Raise DocumentError when the file is encrypted with a password, damaged, or has more pages than `limits` allow.
    """
    with _PDFIUM:
        file = _open(data)
        try:
            if len(file) > limits.max_pages:
                raise DocumentError(
                    FailureCode.DOCUMENT_TOO_LARGE,
                    f"The document has {len(file)} pages; at most {limits.max_pages} are read.",
                )
            return tuple(_read_page(file, index) for index in range(len(file)))
        finally:
            file.close()


def _open(data: bytes) -> pdfium.PdfDocument:
    try:
        file = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if pdfium_c.FPDF_GetLastError() == pdfium_c.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise DocumentError(FailureCode.DOCUMENT_ENCRYPTED, "The PDF is protected with a password.") from error
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, "The PDF is damaged and cannot be opened.") from error
    if len(file) == 0:
        file.close()
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, "The PDF has no pages.")
    return file


def _read_page(file: pdfium.PdfDocument, index: int) -> Page:
    try:
        page = file[index]
    except pdfium.PdfiumError as error:
        message = f"Page {index + 1} of the PDF is damaged and cannot be read."
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, message) from error
    try:
        width, height = page.get_size()
        text = page.get_textpage()
        try:
            words = list(_words(_characters(text, _Projection(page)), width, height))
        finally:
            text.close()
    finally:
        page.close()
    order = reading_order([word.box for word in words])
    return Page(index + 1, width, height, tuple(words[position] for position in order))


class _Projection:
    """From PDF user space to fractions of the page as it is shown: crop box and rotation taken into account."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        origin = self._device(page, 0, 0)
        right, up = self._device(page, 1000, 0), self._device(page, 0, 1000)
        self._x = ((right[0] - origin[0]) / 1000, (up[0] - origin[0]) / 1000, origin[0])
        self._y = ((right[1] - origin[1]) / 1000, (up[1] - origin[1]) / 1000, origin[1])

    @staticmethod
    def _device(page: pdfium.PdfPage, x: float, y: float) -> tuple[float, float]:
        column, row = ctypes.c_int(), ctypes.c_int()
        pdfium_c.FPDF_PageToDevice(page, 0, 0, _GRID, _GRID, 0, x, y, column, row)
        return column.value / _GRID, row.value / _GRID

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        xs = [self._x[0] * x + self._x[1] * y + self._x[2] for x, y in ((left, bottom), (right, top))]
        ys = [self._y[0] * x + self._y[1] * y + self._y[2] for x, y in ((left, bottom), (right, top))]
        return Box(min(xs), min(ys), max(xs), max(ys))


@dataclass(frozen=True, slots=True)
class _Character:
    text: str
    box: Box

    @property
    def is_visible(self) -> bool:
        """On the page, and no more than the page's whole height: broken fonts report boxes that are neither."""
        box = self.box
        return box.x1 > 0 and box.y1 > 0 and box.x0 < 1 and box.y0 < 1 and box.width < 1 and box.height < 1


def _characters(text: pdfium.PdfTextPage, projection: _Projection) -> Iterator[_Character | None]:
    """The page's characters in the file's order; None where white space separates words."""
    for index in range(text.count_chars()):
        code = pdfium_c.FPDFText_GetUnicode(text, index)
        character = chr(code) if code else ""
        if not character or character.isspace() or not (character.isprintable() or character in _REPLACED):
            yield None
            continue
        found = _Character(_REPLACED.get(character, character), projection.box(*_char_box(text, index)))
        yield found if found.is_visible else None


def _char_box(text: pdfium.PdfTextPage, index: int) -> tuple[float, float, float, float]:
    """The font's box of a character (all of a line are of one height), or its ink's where the font has none."""
    left, bottom, right, top = text.get_charbox(index, loose=True)
    if right > left and top > bottom:
        return left, bottom, right, top
    box: tuple[float, float, float, float] = text.get_charbox(index)
    return box


def _words(characters: Iterator[_Character | None], width: float, height: float) -> Iterator[Word]:
    word: list[_Character] = []
    for character in characters:
        if word and (character is None or not _continues(word[-1], character, width, height)):
            yield _word(word)
            word = []
        if character is not None:
            word.append(character)
    if word:
        yield _word(word)


def _continues(before: _Character, after: _Character, width: float, height: float) -> bool:
    """Whether two characters belong to one word, which may run across the page, or up or down it."""
    one, other = before.box, after.box
    across = _follows(
        aside=abs(one.y_center - other.y_center) * height,
        gap=(other.x0 - one.x1) * width,
        size=min(one.height, other.height) * height,
    )
    along = max(other.y0 - one.y1, one.y0 - other.y1) * height
    sideways = _follows(
        aside=abs(one.x_center - other.x_center) * width, gap=along, size=min(one.width, other.width) * width
    )
    return across or sideways


def _follows(aside: float, gap: float, size: float) -> bool:
    """Whether the next character stands on the same line (`aside` of it by little) and near enough; all in points."""
    return aside < 0.5 * size and -1.5 * size < gap < WORD_GAP * size


def _word(characters: list[_Character]) -> Word:
    box = union(character.box for character in characters)
    clamped = Box(max(0.0, box.x0), max(0.0, box.y0), min(1.0, box.x1), min(1.0, box.y1))
    return Word("".join(character.text for character in characters), clamped)
