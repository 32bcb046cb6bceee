"""Words that nobody sees because something was painted over them, a layer is off, or a line strikes them.

Cheap signs come first: what was painted later over a word, an annotation, a layer. Only then is the page rendered, with
and without the words in question: a word is seen if that makes a difference where it stands.
"""

import ctypes
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from serve_app.documents.pdf.ink import rendered_small
from serve_app.documents.pdf.layer_assessment import Layer
from serve_app.documents.pdf.paint import Paint
from serve_app.documents.pdf.pdfium import handle, quick
from serve_app.documents.pdf.projection import Boxes, Projection

# A shape over less than this share of a word leaves it legible.
_COVERED = 0.3
# Nothing thinner covers a word, in fractions of the page.
_LEAST_COVER = 0.003
# Grey values (of 255) that differ, and the share of the pixels of a word, if it is seen.
_DIFFERS = 24
_SEEN = 0.02
# Words in one place are looked at one after the other; so many rounds are enough for any page that people made.
_ROUNDS = 4
# A line strikes a word if it is thinner than this share of the word's height, within this range of the height from
# above, and over this share of the word's width.
_THIN = 0.16
_MIDDLE = (0.35, 0.72)
_ALONG = 0.75
_LEVEL = 0.4
# A longer line is a rule of the page: it strikes what happens to stand on it in no table that people made.
_LONGEST = 0.9

_POINTER = ctypes.c_void_p
_text_object = quick(pdfium_c.FPDFText_GetTextObject, _POINTER, ctypes.c_int, result=_POINTER)
_count_marks = quick(pdfium_c.FPDFPageObj_CountMarks, _POINTER)
_set_active = quick(pdfium_c.FPDFPageObj_SetIsActive, _POINTER, ctypes.c_int)


def without_unseen(
    page: pdfium.PdfPage, text: pdfium.PdfTextPage, layer: Layer, projection: Projection
) -> NDArray[np.bool_]:
    """Which words of a page are neither struck nor covered nor switched off nor in the colour of what is below them."""
    words, paint = layer.words.boxes, layer.paint
    objects = list(map(_text_object, repeat(handle(text)), layer.words.first.tolist()))
    seen = ~_struck(words, paint.shapes)
    doubts = (_painted_over(words, objects, paint), _annotated(page, words, projection), _marked(objects))
    doubtful = np.flatnonzero(seen & np.logical_or.reduce((layer.visibility.pale, *doubts)))
    if len(doubtful):
        seen[doubtful] = _make_a_difference(page, words[doubtful], [objects[at] for at in doubtful])
    return seen


def written_over(text: pdfium.PdfTextPage, layer: Layer, seen: NDArray[np.bool_]) -> frozenset[int]:
    """The objects that cannot be seen, where words that can be seen stand in their places: PDFium leaves out every
    character that is printed again in the same place, and so takes them from the words that can be seen."""
    words, shown = layer.words.boxes, layer.words.boxes[seen]
    if seen.all() or not len(shown):
        return frozenset()
    objects = list(map(_text_object, repeat(handle(text)), layer.words.first.tolist()))
    visible = {objects[at] for at in np.flatnonzero(seen).tolist()}
    return frozenset(
        pointer
        for at in np.flatnonzero(~seen).tolist()
        if (pointer := objects[at]) and pointer not in visible and (_shared(shown, words[at]) > 0).any()
    )


@contextmanager
def inactive(pointers: Collection[int | None]) -> Iterator[None]:
    """As if a page did not have some objects."""
    for pointer in pointers:
        _set_active(pointer, 0)
    try:
        yield
    finally:
        for pointer in pointers:
            _set_active(pointer, 1)


def _struck(words: Boxes, shapes: Boxes) -> NDArray[np.bool_]:
    """Which words a thin level shape runs through."""
    thin = shapes[
        (shapes[:, 3] - shapes[:, 1] < 0.01)
        & (shapes[:, 2] - shapes[:, 0] > 0.002)
        & (shapes[:, 2] - shapes[:, 0] < _LONGEST)
    ]
    if not len(thin) or not len(words):
        return np.zeros(len(words), bool)
    height = (words[:, 3] - words[:, 1])[:, None]
    middle = ((thin[:, 1] + thin[:, 3]) / 2)[None, :]
    place = (middle - words[:, 1][:, None]) / np.maximum(height, 1e-9)
    along = np.minimum(words[:, 2][:, None], thin[:, 2]) - np.maximum(words[:, 0][:, None], thin[:, 0])
    width = np.maximum((words[:, 2] - words[:, 0])[:, None], 1e-9)
    is_thin = (thin[:, 3] - thin[:, 1])[None, :] < _THIN * height
    # What runs up the page is crossed by any rule.
    is_level = width > _LEVEL * height
    strikes = is_thin & is_level & (place > _MIDDLE[0]) & (place < _MIDDLE[1]) & (along > _ALONG * width)
    struck: NDArray[np.bool_] = np.any(strikes, axis=1)
    return struck


def _painted_over(words: Boxes, objects: Sequence[int | None], paint: Paint) -> NDArray[np.bool_]:
    """Which words lie under shapes that were painted after them."""
    if not paint.painted_at or not len(words):
        return np.zeros(len(words), bool)
    written = np.array([paint.texts_at.get(pointer or 0, 0) for pointer in objects])
    size = paint.shapes[:, 2:] - paint.shapes[:, :2]
    order = np.where((size > _LEAST_COVER).all(axis=1), np.array(paint.painted_at), 0)
    covered = np.zeros(len(words), bool)
    for at in np.flatnonzero(order > written.min()).tolist():
        covered |= (written < order[at]) & (_shared(words, paint.shapes[at]) >= _COVERED)
    return covered


def _shared(words: Boxes, shape: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of each word that a shape covers."""
    low, high = np.maximum(words[:, :2], shape[:2]), np.minimum(words[:, 2:], shape[2:])
    areas = np.maximum((words[:, 2:] - words[:, :2]).prod(axis=1), 1e-12)
    shared: NDArray[np.float64] = (high - low).clip(0).prod(axis=1) / areas
    return shared


def _annotated(page: pdfium.PdfPage, words: Boxes, projection: Projection) -> NDArray[np.bool_]:
    """Which words lie under annotations that are no links."""
    under = np.zeros(len(words), bool)
    for corners in _annotations(page):
        under |= _shared(words, projection.boxes(np.array([corners]))[0]) >= _COVERED
    return under


def _annotations(page: pdfium.PdfPage) -> Iterator[tuple[float, float, float, float]]:
    for index in range(pdfium_c.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium_c.FPDFPage_GetAnnot(page, index)
        rectangle = pdfium_c.FS_RECTF()
        if annotation and pdfium_c.FPDFAnnot_GetSubtype(annotation) != pdfium_c.FPDF_ANNOT_LINK:
            pdfium_c.FPDFAnnot_GetRect(annotation, rectangle)
            yield rectangle.left, rectangle.bottom, rectangle.right, rectangle.top
        if annotation:
            pdfium_c.FPDFPage_CloseAnnot(annotation)


def _marked(objects: Sequence[int | None]) -> NDArray[np.bool_]:
    """Which words belong to a layer that may be off."""
    layers = {pointer: _is_in_layer(pointer) for pointer in set(objects) if pointer}
    return np.array([layers.get(pointer or 0, False) for pointer in objects], bool)


def _is_in_layer(pointer: int) -> bool:
    return any(_name(pointer, index) == "OC" for index in range(_count_marks(pointer)))


def _name(pointer: int, index: int) -> str:
    mark = pdfium_c.FPDFPageObj_GetMark(ctypes.cast(pointer, pdfium_c.FPDF_PAGEOBJECT), index)
    buffer, length = ctypes.create_string_buffer(32), ctypes.c_ulong()
    wide = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    if not pdfium_c.FPDFPageObjMark_GetName(mark, wide, 32, length):
        return ""
    return buffer.raw[: max(length.value - 2, 0)].decode("utf-16-le", "replace")


def _make_a_difference(page: pdfium.PdfPage, words: Boxes, objects: Sequence[int | None]) -> NDArray[np.bool_]:
    """Which words can be seen: the page looks different without them, in their places."""
    seen = np.ones(len(words), bool)
    whole = _rendered(page)
    for turn in range(_ROUNDS):
        chosen = _apart(words, turn)
        pointers = {objects[at] for at in chosen} - {None}
        if not pointers:
            break
        changed = _changed(whole, _without(page, pointers))
        seen[chosen] = _differ(changed, words[chosen])
    return seen


def _apart(words: Boxes, turn: int) -> list[int]:
    """The words that are looked at in a round: of those in one place, one."""
    taken = [0] * len(words)
    for at in range(len(words)):
        used = {taken[other] for other in np.flatnonzero(_shared(words[:at], words[at]) > 0).tolist()}
        taken[at] = next(level for level in range(len(words) + 1) if level not in used)
    return [at for at, level in enumerate(taken) if min(level, _ROUNDS - 1) == turn]


def _without(page: pdfium.PdfPage, pointers: set[int | None]) -> NDArray[np.int16]:
    with inactive(pointers):
        return _rendered(page)


def _rendered(page: pdfium.PdfPage) -> NDArray[np.int16]:
    return rendered_small(page).astype(np.int16)


def _changed(one: NDArray[np.int16], other: NDArray[np.int16]) -> NDArray[np.bool_]:
    changed: NDArray[np.bool_] = np.abs(one - other) > _DIFFERS
    return changed


def _differ(changed: NDArray[np.bool_], words: Boxes) -> list[bool]:
    height, width = changed.shape
    low = np.floor(words[:, :2] * (width, height)).astype(int)
    high = np.ceil(words[:, 2:] * (width, height)).astype(int)
    places = zip(low.tolist(), high.tolist(), strict=True)
    parts = (changed[y0:y1, x0:x1] for (x0, y0), (x1, y1) in places)
    return [bool(part.size and part.mean() >= _SEEN) for part in parts]
