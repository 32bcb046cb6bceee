"""Find words of a text layer that are invisible on the page, without rendering it."""

import ctypes
from dataclasses import dataclass
from itertools import repeat

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from serve_app.documents.pdf.clips import is_clipped_away
from serve_app.documents.pdf.pdfium import handle, quick
from serve_app.documents.pdf.words import RawWords

# Smaller text, in points, is not meant for readers.
TINY = 1.5
# Colours with every channel at least this bright (of 255) are illegible on white.
PALE = 240

_POINTER = ctypes.c_void_p
_text_object = quick(pdfium_c.FPDFText_GetTextObject, _POINTER, ctypes.c_int, result=_POINTER)
_map_error = quick(pdfium_c.FPDFText_HasUnicodeMapError, _POINTER, ctypes.c_int)
_mode = quick(pdfium_c.FPDFTextObj_GetTextRenderMode, _POINTER)
_fill = quick(pdfium_c.FPDFPageObj_GetFillColor, _POINTER, *[_POINTER] * 4)
_stroke = quick(pdfium_c.FPDFPageObj_GetStrokeColor, _POINTER, *[_POINTER] * 4)

_UNPAINTED = (pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium_c.FPDF_TEXTRENDERMODE_CLIP)
_STROKED = (pdfium_c.FPDF_TEXTRENDERMODE_STROKE, pdfium_c.FPDF_TEXTRENDERMODE_STROKE_CLIP)


@dataclass(frozen=True, slots=True)
class Visibility:
    """For each word: not painted at all; in a colour that is invisible on white; of glyphs without a known meaning."""

    hidden: NDArray[np.bool_]
    pale: NDArray[np.bool_]
    unmapped: NDArray[np.bool_]


def visibility_of(text: pdfium.PdfTextPage, words: RawWords) -> Visibility:
    """Assess each word by its first character."""
    pointer, first = handle(text), words.first.tolist()
    objects = list(map(_text_object, repeat(pointer), first))
    painted = _painted({object for object in objects if object})
    kinds = np.array([painted.get(object, 0) for object in objects], np.uint8)
    errors = np.fromiter(map(_map_error, repeat(pointer), first), np.int8, len(first))
    return Visibility((kinds == 2) | (words.size < TINY), kinds == 1, errors == 1)


def _painted(text_objects: set[int]) -> dict[int, int]:
    """For each: 0 if it is plainly painted, 1 if in a pale colour, 2 if not at all."""
    colour = (ctypes.c_uint * 4)()
    places = [ctypes.addressof(colour) + 4 * place for place in range(4)]
    found = {}
    for text in text_objects:
        mode = _mode(text)
        if mode in _UNPAINTED or is_clipped_away(text):
            found[text] = 2
        elif (_stroke if mode in _STROKED else _fill)(text, *places):
            red, green, blue, alpha = colour
            found[text] = 2 if alpha == 0 else int(min(red, green, blue) >= PALE)
    return found
