"""Form fields and text notes that a page shows."""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from serve_app.documents.pdf.projection import Projection
from serve_app.domain.document import Box, Word, union

_UNSEEN = pdfium_c.FPDF_ANNOT_FLAG_HIDDEN | pdfium_c.FPDF_ANNOT_FLAG_NOVIEW
_WRITTEN = (pdfium_c.FPDF_FORMFIELD_TEXTFIELD, pdfium_c.FPDF_FORMFIELD_COMBOBOX, pdfium_c.FPDF_FORMFIELD_LISTBOX)
_PASSWORD = 1 << 13
_READ = (pdfium_c.FPDF_ANNOT_WIDGET, pdfium_c.FPDF_ANNOT_FREETEXT)


@dataclass(frozen=True, slots=True)
class Note:
    """Text that a field or a note shows, and its rectangle in user space: left, bottom, right, top."""

    text: str
    corners: tuple[float, float, float, float]


def flatten(file: pdfium.PdfDocument, page: pdfium.PdfPage) -> tuple[list[Note], bool]:
    """The texts of fields and notes; where there are any, what they look like becomes part of the page itself.

    The second value says whether that happened: the page must then be reloaded. Hidden ones are left out.
    """
    with _annotations(page) as found:
        annotations = [annotation for annotation in found if pdfium_c.FPDFAnnot_GetSubtype(annotation) in _READ]
        if not annotations:
            return [], False
        with _form(file) as form:
            notes = [note for annotation in annotations for note in _notes(form, annotation)]
    return notes, pdfium_c.FPDFPage_Flatten(page, pdfium_c.FLAT_NORMALDISPLAY) == pdfium_c.FLATTEN_SUCCESS


def note_words(notes: list[Note], words: list[Word], projection: Projection) -> list[Word]:
    """Words of notes without an appearance: none of the page's own text is in their place."""
    found: list[Word] = []
    for note in notes:
        (corners,) = projection.boxes(np.array([note.corners]))
        place = Box(*corners.clip(0, 1).tolist())
        if place.width > 0 and place.height > 0 and not any(_holds(place, word.box) for word in words):
            found += _laid_out(note.text, place)
    return found


def with_values_joined(notes: list[Note], words: list[Word], projection: Projection) -> list[Word]:
    """The words, those of a field in which each character has a place of its own as its value has them."""
    joined = list(words)
    for note in notes:
        (corners,) = projection.boxes(np.array([note.corners]))
        place, value = Box(*corners.clip(0, 1).tolist()), note.text.split()
        inside = sorted((word for word in joined if _holds(place, word.box)), key=lambda word: word.box.x0)
        if len(inside) > len(value) == 1 and "".join(word.text for word in inside) == value[0]:
            joined = [word for word in joined if word not in inside]
            joined.append(Word(value[0], union(word.box for word in inside)))
    return joined


@contextmanager
def _annotations(page: pdfium.PdfPage) -> Iterator[list[object]]:
    count = pdfium_c.FPDFPage_GetAnnotCount(page)
    found = [
        annotation for annotation in (pdfium_c.FPDFPage_GetAnnot(page, index) for index in range(count)) if annotation
    ]
    try:
        yield found
    finally:
        for annotation in found:
            pdfium_c.FPDFPage_CloseAnnot(annotation)


@contextmanager
def _form(file: pdfium.PdfDocument) -> Iterator[object]:
    """PDFium's form environment, which resolves inherited field values."""
    config = pdfium_c.FPDF_FORMFILLINFO(version=2)
    form = pdfium_c.FPDFDOC_InitFormFillEnvironment(file, config)
    try:
        yield form
    finally:
        if form:
            pdfium_c.FPDFDOC_ExitFormFillEnvironment(form)


def _notes(form: object, annotation: object) -> Iterator[Note]:
    if pdfium_c.FPDFAnnot_GetFlags(annotation) & _UNSEEN:
        return
    text = _text(form, annotation).strip()
    rectangle = pdfium_c.FS_RECTF()
    if text and pdfium_c.FPDFAnnot_GetRect(annotation, rectangle):
        sides = (rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
        yield Note(text, sides)


def _text(form: object, annotation: object) -> str:
    kind = pdfium_c.FPDFAnnot_GetSubtype(annotation)
    if kind == pdfium_c.FPDF_ANNOT_FREETEXT:
        return _string(lambda *buffer: pdfium_c.FPDFAnnot_GetStringValue(annotation, b"Contents", *buffer))
    if kind != pdfium_c.FPDF_ANNOT_WIDGET or not form:
        return ""
    if pdfium_c.FPDFAnnot_GetFormFieldType(form, annotation) not in _WRITTEN:
        return ""
    if pdfium_c.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD:
        return ""
    return _string(lambda *buffer: pdfium_c.FPDFAnnot_GetFormFieldValue(form, annotation, *buffer))


def _string(call: Callable[[object, int], int]) -> str:
    size = call(None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    call(ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")


def _holds(place: Box, box: Box) -> bool:
    return place.x0 <= box.x_center <= place.x1 and place.y0 <= box.y_center <= place.y1


def _laid_out(text: str, place: Box) -> Iterator[Word]:
    """The words of the text spread over its rectangle: lines share the height, characters the width."""
    lines = [line for line in text.splitlines() if line.strip()]
    longest = max(map(len, lines))
    for row, line in enumerate(lines):
        y0, y1 = (place.y0 + place.height * step / len(lines) for step in (row, row + 1))
        at = 0
        for part in line.split():
            at = line.index(part, at)
            x0, x1 = (place.x0 + place.width * end / longest for end in (at, at + len(part)))
            yield Word(part, Box(x0, y0, x1, y1))
            at += len(part)
