"""The characters of a page's text layer, read all at once."""

import ctypes
from collections import deque
from dataclasses import dataclass
from functools import cache
from itertools import repeat

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from serve_app.documents.pdf.lost_letters import LOST
from serve_app.documents.pdf.pdfium import handle, quick
from serve_app.documents.pdf.projection import Boxes, Projection

# PDFium's codes for a hyphen at the end of a line.
HYPHENS = "\x02\ufffe\xad"
_HYPHEN_OR_LOST = 0xFFFE
_WITHOUT_WIDTH = "\u200b\u200c\u200d\u200e\u200f\ufeff\u2060"

_unicode = quick(pdfium_c.FPDFText_GetUnicode, ctypes.c_void_p, ctypes.c_int, result=ctypes.c_uint)
_text_object = quick(pdfium_c.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_int, result=ctypes.c_void_p)
_loose_box = quick(pdfium_c.FPDFText_GetLooseCharBox, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)

_origin = quick(pdfium_c.FPDFText_GetCharOrigin, *(ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p))


@dataclass(frozen=True, slots=True)
class Characters:
    """Characters in the file's order. `index` is PDFium's; `baselines` are how far down the page digits, and
    characters before them, stand; `separates` marks white space and characters off the page, `is_odd` glyphs of unknown
    meaning. Those among them that the file gives no code at all are `LOST` and separate nothing: they may be
    letters."""

    codes: NDArray[np.uint32]
    boxes: Boxes
    baselines: NDArray[np.float64]
    index: NDArray[np.intp]
    separates: NDArray[np.bool_]
    is_odd: NDArray[np.bool_]

    def only(self, keep: NDArray[np.bool_]) -> "Characters":
        codes, boxes, baselines = self.codes[keep], self.boxes[keep], self.baselines[keep]
        return Characters(codes, boxes, baselines, self.index[keep], self.separates[keep], self.is_odd[keep])


def read_characters(text: pdfium.PdfTextPage, projection: Projection) -> Characters:
    """Every character with its box in fractions of the page as shown."""
    count = max(text.count_chars(), 0)
    codes = _codes(text, count)
    kinds = _kinds()[np.where(codes < 0x10000, codes, ord("x"))]
    boxes = projection.boxes(_boxes(text, np.flatnonzero(kinds != 1), count))
    separates = ((kinds > 0) & (codes != ord(LOST))) | ~_is_on_page(boxes)
    baselines = _baselines(text, codes, projection)
    characters = Characters(codes, boxes, baselines, np.arange(count), separates, kinds == 2)
    invisible = kinds == 3
    return _without_overprint(text, characters.only(~invisible) if invisible.any() else characters)


def _codes(text: pdfium.PdfTextPage, count: int) -> NDArray[np.uint32]:
    """Code points, `LOST` where the file gives none: in one call, or one by one if a character does not fit into one
    UTF-16 unit."""
    codes = _given_codes(text, count)
    for index in np.flatnonzero((codes == 0) | (codes == _HYPHEN_OR_LOST)).tolist():
        if not _unicode(handle(text), index):
            codes[index] = ord(LOST)
    return codes


def _given_codes(text: pdfium.PdfTextPage, count: int) -> NDArray[np.uint32]:
    buffer = np.empty(count + 1, np.uint16)
    pointer = buffer.ctypes.data_as(ctypes.POINTER(ctypes.c_ushort))
    if pdfium_c.FPDFText_GetText(text, 0, count, pointer) == count + 1 and not buffer[count]:
        return buffer[:count].astype(np.uint32)
    return np.fromiter(map(_unicode, repeat(handle(text), count), range(count)), np.uint32, count)


def _boxes(text: pdfium.PdfTextPage, indices: NDArray[np.intp], count: int) -> Boxes:
    """The font's box of each character (all in a line have the same height), or the box of its ink if the font has
    none."""
    found = np.zeros((count, 4), np.float32)  # left, top, right, bottom
    places = (found.ctypes.data + 16 * indices).tolist()
    deque(map(_loose_box, repeat(handle(text)), indices.tolist(), places), maxlen=0)
    boxes = found.astype(np.float64)
    for index in indices[((boxes[:, 2] <= boxes[:, 0]) | (boxes[:, 1] <= boxes[:, 3]))[indices]]:
        left, bottom, right, top = text.get_charbox(int(index))
        boxes[index] = left, top, right, bottom
    return boxes


def _baselines(text: pdfium.PdfTextPage, codes: NDArray[np.uint32], projection: Projection) -> NDArray[np.float64]:
    """Where the file puts each digit and each character before one, whatever the size of its font: fractions of the
    page's height."""
    is_digit = (codes >= ord("0")) & (codes <= ord("9"))
    indices, found = np.flatnonzero(is_digit | np.roll(is_digit, -1)), np.zeros((len(codes), 2))
    places = found.ctypes.data + 16 * indices
    deque(map(_origin, repeat(handle(text)), indices.tolist(), places.tolist(), (places + 8).tolist()), maxlen=0)
    return projection.points(found)[:, 1]


@cache
def _kinds() -> NDArray[np.uint8]:
    """For each UTF-16 unit: 0 a character, 1 white space, 2 no meaning (control codes, private use, replacement), 3 a
    mark without width, which separates nothing."""
    return np.array([_kind(chr(code)) for code in range(0x10000)], np.uint8)


def _kind(character: str) -> int:
    if character in HYPHENS or (character.isprintable() and character not in " \ufffd"):
        return 0
    is_lone_half = "\ud800" <= character <= "\udfff"
    if character in _WITHOUT_WIDTH:
        return 3
    return 1 if character.isspace() or is_lone_half else 2


def _is_on_page(boxes: Boxes) -> NDArray[np.bool_]:
    """On the page and no taller than it: broken fonts report boxes that are not."""
    sizes = boxes[:, 2:] - boxes[:, :2]
    on_page: NDArray[np.bool_] = np.all((boxes[:, 2:] > 0) & (boxes[:, :2] < 1) & (sizes < 1), axis=1)
    return on_page


def _without_overprint(text: pdfium.PdfTextPage, characters: Characters) -> Characters:
    """Merge bold made by printing each character twice with a small offset.

    Two in exactly the same place are parts of a ligature ("tt"), unless they come from different pieces of text.
    """
    if len(characters.codes) < 2:
        return characters
    boxes, codes = characters.boxes, characters.codes
    moved = np.abs(boxes[1:] - boxes[:-1])[:, :2]
    size = boxes[1:, 2:] - boxes[1:, :2]
    again = (codes[1:] == codes[:-1]) & (moved < 0.3 * size).all(axis=1) & ~characters.separates[1:]
    for position in np.flatnonzero(again & (moved < 1e-5).all(axis=1)):
        before, here = (_text_object(handle(text), int(position) + step) for step in (0, 1))
        again[position] = before != here
    return characters.only(np.concatenate([[True], ~again])) if again.any() else characters
