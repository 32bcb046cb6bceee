"""Whether the digits and letters of a text layer look like what the file says they are.

A font says which character each of its glyphs is, and may be wrong about it: the page then shows another number or name
than its text layer has. Outlines are compared with those of PDFium's own fonts, and the digits of a page that count as
one with one another. That takes no rendering.
"""

import ctypes
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import repeat
from string import ascii_lowercase, ascii_uppercase

import cv2
import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from serve_app.documents.pdf.characters import Characters
from serve_app.documents.pdf.pdfium import handle, quick

_DIGITS = "0123456789"
_LETTERS = ascii_uppercase, ascii_lowercase
# The fonts that PDFium brings.
_KNOWN = (
    *("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"),
    *("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"),
    *("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"),
)
# An outline is drawn so many pixels high, and softened by this many.
_SIDE = 24
_SOFT = 1.2
# Pixels. Broken fonts have points further away.
_FAR = 10_000
# Points on each curve.
_STEPS = 5
# Two glyphs that differ by more than this share of their line's height are not one.
_SAME = 0.004
# A letter is another one if its outline differs from that one by less than `_NEAR` (pixels of ink), and from its own by
# `_FARTHER` times as much: unlike digits, letters of one kind have many shapes.
_NEAR = 80.0
_FARTHER = 1.6
# No character has so many points; so many of them identify it.
_MOST = 1000
_SAMPLE = 3

_POINTER = ctypes.c_void_p
_text_object = quick(pdfium_c.FPDFText_GetTextObject, _POINTER, ctypes.c_int, result=_POINTER)
_font = quick(pdfium_c.FPDFTextObj_GetFont, _POINTER, result=_POINTER)
_path = quick(pdfium_c.FPDFFont_GetGlyphPath, _POINTER, ctypes.c_uint32, ctypes.c_float, result=_POINTER)
_count = quick(pdfium_c.FPDFGlyphPath_CountGlyphSegments, _POINTER)
_segment = quick(pdfium_c.FPDFGlyphPath_GetGlyphPathSegment, _POINTER, ctypes.c_int, result=_POINTER)
_kind = quick(pdfium_c.FPDFPathSegment_GetType, _POINTER)
_point = quick(pdfium_c.FPDFPathSegment_GetPoint, _POINTER, _POINTER, _POINTER)
_ink_box = quick(pdfium_c.FPDFText_GetCharBox, _POINTER, ctypes.c_int, *[_POINTER] * 4)
_loose_box = quick(pdfium_c.FPDFText_GetLooseCharBox, _POINTER, ctypes.c_int, _POINTER)

Shape = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Glyph:
    """The outline of a glyph: how many segments it has, some of them, by which it is known again, and PDFium's address
    of it, which holds as long as its font is open."""

    count: int
    sample: tuple[tuple[int, float, float], ...]
    path: int = field(compare=False)


def has_odd_digits(text: pdfium.PdfTextPage, characters: Characters) -> bool:
    """Whether a digit of the page looks like another one, or is drawn in two ways in one font."""
    is_digit = (characters.codes >= ord("0")) & (characters.codes <= ord("9"))
    codes, places = characters.codes[is_digit].tolist(), characters.index[is_digit].tolist()
    objects = map(_text_object, repeat(handle(text)), places)
    fonts = [_font(pointer) if pointer else 0 for pointer in objects]
    printed = set(zip(fonts, codes, strict=True))
    return _are_drawn_differently(fonts, codes, _forms(text, places)) or any(
        _is_odd(font, code) for font, code in printed if font
    )


def has_odd_letters(text: pdfium.PdfTextPage, characters: Characters) -> bool:
    """Whether letters of the Latin alphabet on the page are exchanged."""
    return any(
        _are_exchanged(font, letters, alphabet)
        for alphabet in _LETTERS
        for font, letters in _printed(text, characters, alphabet).items()
    )


def _are_exchanged(font: int, letters: Collection[str], alphabet: str) -> bool:
    """Whether a letter looks like one that the font does not draw as itself. Others are only drawn unusually, as "M" is
    in fonts of typewriters; where the page does not print the letter that one looks like, a second one must be odd."""
    drawn = {letter: glyph for letter in letters if (glyph := _glyph_of(font, ord(letter))) is not None}
    others = [other for letter, glyph in drawn.items() if (other := _other_letter(glyph, letter, alphabet))]
    missing = [other for other in others if other not in drawn]
    return len(missing) > 1 or any(
        next(iter(_nearest(drawn[other], alphabet))) != other for other in others if other in drawn
    )


def _printed(text: pdfium.PdfTextPage, characters: Characters, alphabet: str) -> dict[int, set[str]]:
    """The letters of an alphabet on a page, by PDFium's address of their font."""
    is_letter = (characters.codes >= ord(alphabet[0])) & (characters.codes <= ord(alphabet[-1]))
    codes, places = characters.codes[is_letter].tolist(), characters.index[is_letter].tolist()
    objects = map(_text_object, repeat(handle(text)), places)
    printed: dict[int, set[str]] = {}
    for pointer, code in zip(objects, codes, strict=True):
        if pointer:
            printed.setdefault(_font(pointer), set()).add(chr(code))
    return printed


def _is_odd(font: int, code: int) -> bool:
    glyph = _glyph_of(font, code)
    return glyph is not None and _looks_like(glyph) != chr(code)


@lru_cache(maxsize=20_000)
def _nearest(glyph: _Glyph, alphabet: str) -> dict[str, float]:
    """How much an outline differs from those of the letters of an alphabet, in pixels of ink, the likest first."""
    shape = _shape(glyph)
    nearest: dict[str, float] = {}
    for known, other in _known(alphabet):
        difference = float(np.abs(other - shape).sum())
        nearest[known] = min(difference, nearest.get(known, difference))
    return dict(sorted(nearest.items(), key=lambda each: each[1]))


def _other_letter(glyph: _Glyph, letter: str, alphabet: str) -> str | None:
    """The other letter of the alphabet that an outline is; None if it may be this one's."""
    ranked = _nearest(glyph, alphabet)
    other = next(each for each in ranked if each != letter)
    return other if ranked[other] < _NEAR and ranked[letter] > _FARTHER * ranked[other] else None


def _are_drawn_differently(fonts: Sequence[int], codes: Sequence[int], forms: NDArray[np.float64]) -> bool:
    """Whether the ink of one digit of a font has several forms."""
    first: dict[tuple[int, int], int] = {}
    same = [first.setdefault(each, at) for at, each in enumerate(zip(fonts, codes, strict=True))]
    return bool((np.abs(forms - forms[same]) > _SAME).any())


def _forms(text: pdfium.PdfTextPage, places: Sequence[int]) -> NDArray[np.float64]:
    """Where the ink of each character begins, how wide and how high it is, as shares of the height of its line."""
    count, pointer = len(places), handle(text)
    ink, lines = np.zeros((count, 4)), np.ones((count, 4), np.float32)
    start, at_lines, rows = ink.ctypes.data, lines.ctypes.data, np.arange(count)
    sides = ((start + 8 * side + 32 * rows).tolist() for side in range(4))
    deque(map(_ink_box, repeat(pointer), places, *sides), maxlen=0)
    deque(map(_loose_box, repeat(pointer), places, (at_lines + 16 * rows).tolist()), maxlen=0)
    height = np.maximum(lines[:, 1] - lines[:, 3], 1e-6)
    forms = np.stack((ink[:, 0] - lines[:, 0], ink[:, 1] - ink[:, 0], ink[:, 3] - ink[:, 2]), axis=1)
    shares: NDArray[np.float64] = forms / height[:, None]
    return shares


def _glyph_of(font: int, code: int) -> _Glyph | None:
    """What the font draws for a character; None if it has nothing for it."""
    path = _path(font, code, 100.0)
    count = _count(path) if path else 0
    if not 0 < count <= _MOST:
        return None
    return _Glyph(count, tuple(_points_at(path, range(0, count, -(-count // _SAMPLE)))), path)


def _points_at(path: int, places: Iterable[int]) -> Iterator[tuple[int, float, float]]:
    """The segments of a glyph at some places: PDFium's kind of each, and where it ends."""
    x, y = ctypes.c_float(), ctypes.c_float()
    at_x, at_y = ctypes.addressof(x), ctypes.addressof(y)
    for at in places:
        segment = _segment(path, at)
        _point(segment, at_x, at_y)
        yield _kind(segment), x.value, y.value


@lru_cache(maxsize=2000)
def _looks_like(glyph: _Glyph) -> str:
    """The digit whose outline in one of the known fonts is most like this one."""
    shape = _shape(glyph)
    return min(_known(_DIGITS), key=lambda known: float(np.abs(known[1] - shape).sum()))[0]


@cache
def _known(alphabet: str) -> list[tuple[str, Shape]]:
    file = pdfium.PdfDocument.new()
    try:
        return [shape for name in _KNOWN for shape in _shapes_of(file, name, alphabet)]
    finally:
        file.close()


def _shapes_of(file: pdfium.PdfDocument, name: str, alphabet: str) -> list[tuple[str, Shape]]:
    """The characters of one of PDFium's fonts."""
    font = pdfium_c.FPDFText_LoadStandardFont(file, name.encode())
    try:
        glyphs = [(character, _glyph_of(handle(font), ord(character))) for character in alphabet]
        return [(character, _shape(glyph)) for character, glyph in glyphs if glyph is not None]
    finally:
        pdfium_c.FPDFFont_Close(font)


def _shape(glyph: _Glyph) -> Shape:
    """The ink of an outline, all as high as one another and in the middle."""
    contours = list(_contours(glyph))
    corners = np.concatenate(contours)
    low, high = corners.min(axis=0), corners.max(axis=0)
    scale = (_SIDE - 1) / max(float(high[1] - low[1]), 1e-6)
    middle = np.array([(low[0] + high[0]) / 2, low[1]])
    picture = np.zeros((_SIDE, _SIDE), np.uint8)
    placed = (np.nan_to_num((contour - middle) * scale + (_SIDE / 2, 0)) for contour in contours)
    cv2.fillPoly(picture, [points.clip(-_FAR, _FAR).round().astype(np.int32) for points in placed], 255)
    shape: Shape = cv2.GaussianBlur(picture, (0, 0), _SOFT).astype(np.float32) / np.float32(255)
    return shape


def _contours(glyph: _Glyph) -> Iterator[NDArray[np.float64]]:
    """The closed lines of an outline, curves as short straight ones."""
    contour: list[tuple[float, float]] = []
    curve: list[tuple[float, float]] = []
    for kind, x, y in _points_at(glyph.path, range(glyph.count)):
        if kind == pdfium_c.FPDF_SEGMENT_MOVETO:
            if contour:
                yield np.array(contour)
            contour, curve = [(x, y)], []
        elif kind == pdfium_c.FPDF_SEGMENT_BEZIERTO and contour:
            curve.append((x, y))
            if len(curve) == 3:
                contour += _points(np.array([contour[-1], *curve]))
                curve = []
        else:
            contour.append((x, y))
    if contour:
        yield np.array(contour)


def _points(curve: NDArray[np.float64]) -> Iterator[tuple[float, float]]:
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        weights = np.array([(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3])
        x, y = (weights @ curve).tolist()
        yield x, y
