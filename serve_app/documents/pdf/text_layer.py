"""PDF text layers, read with PDFium."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import starmap

import pypdfium2 as pdfium

from serve_app.documents.limits import Limits
from serve_app.documents.pdf.characters import read_characters
from serve_app.documents.pdf.codes import codes_of
from serve_app.documents.pdf.combs import with_combs_joined
from serve_app.documents.pdf.fields import Note, flatten, note_words, with_values_joined
from serve_app.documents.pdf.glyph_shapes import has_odd_digits, has_odd_letters
from serve_app.documents.pdf.ink import ink_of
from serve_app.documents.pdf.layer_assessment import Assessment, Layer, Verdict, assess_layer
from serve_app.documents.pdf.lost_letters import LOST, without_lost_letters
from serve_app.documents.pdf.overlaps import with_overlaps_disputed
from serve_app.documents.pdf.paint import look_at
from serve_app.documents.pdf.pdfium import loaded, opened
from serve_app.documents.pdf.projection import Projection
from serve_app.documents.pdf.seen import inactive, without_unseen, written_over
from serve_app.documents.pdf.tidy import tidy
from serve_app.documents.pdf.units import user_units
from serve_app.documents.pdf.visibility import visibility_of
from serve_app.documents.pdf.words import RawWords, join_words
from serve_app.documents.progress import step_done
from serve_app.domain.document import Box, Page, Word
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.domain.reading_order import reading_order


@dataclass(frozen=True, slots=True)
class LayerPage:
    """A page according to its text layer, and how far to trust that. `resolution` is that of its sharpest picture, in
    pixels per point, and `is_one_picture` whether it paints nothing else; `unit` is how many points the file's own unit
    is. `has_odd_digits`, `has_odd_letters`: some of its digits or letters may be others than the layer says."""

    page: Page
    assessment: Assessment
    resolution: float
    unit: float = 1.0
    is_one_picture: bool = False
    has_odd_digits: bool = False
    has_odd_letters: bool = False


def read_text_layer(data: bytes, limits: Limits) -> tuple[Page, ...]:
    """The visible words of every page's text layer; letters without a meaning are left out.

    Raise DocumentError if the file is encrypted with a password, damaged, or larger than `limits` allow.
    """
    return tuple(without_lost_letters(layer.page) for layer in read_layers(data, limits))


def read_layers(data: bytes, limits: Limits) -> list[LayerPage]:
    """Every page's text layer, assessed; raise DocumentError like `read_text_layer`."""
    layers, words, units = [], 0, user_units(data)
    with opened(data, limits) as file:
        for number in range(1, len(file) + 1):
            layers.append(read_layer(file, number, units.get(number, 1.0)))
            step_done()
            words += len(layers[-1].page.words)
            if words > limits.max_words:
                message = f"The document has more than {limits.max_words} words."
                raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, message)
    return layers


def read_layer(file: pdfium.PdfDocument, number: int, unit: float = 1.0) -> LayerPage:
    """The text layer of page `number` (from 1) of an open file, whose unit is so many points. Raise DocumentError if
    the page is damaged or does not exist."""
    if not 1 <= number <= len(file):
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, f"The PDF has no page {number}.")
    with loaded(file, number - 1) as page:
        notes, is_changed = flatten(file, page)
        if not is_changed:
            return _read_loaded(page, number, notes, unit)
    with loaded(file, number - 1) as page:
        return _read_loaded(page, number, notes, unit)


def _read_loaded(
    page: pdfium.PdfPage, number: int, notes: list[Note], unit: float, *, is_repeated: bool = False
) -> LayerPage:
    width, height = (side * unit for side in page.get_size())
    projection = Projection(page)
    text = page.get_textpage()
    try:
        characters = read_characters(text, projection)
        raw = join_words(characters, width, height)
        layer = Layer(characters, raw, visibility_of(text, raw), look_at(page, projection))
        assessment = assess_layer(layer, lambda: ink_of(page))
        odd = has_odd_digits(text, characters), has_odd_letters(text, characters)
        seen = assessment.seen & (assessment.is_scan | without_unseen(page, text, layer, projection))
        codes = codes_of(page, layer.paint) if assessment.verdict is Verdict.LAYER else ()
        below = written_over(text, layer, seen)
    finally:
        text.close()
    if below and not is_repeated:
        with inactive(below):
            return _read_loaded(page, number, notes, unit, is_repeated=True)
    shown = [word for word, is_seen in zip(_words(raw), seen.tolist(), strict=True) if is_seen]
    # Glyphs by themselves are bullets and icons.
    words = [word for word in shown if word.text.strip(LOST)]
    words = with_combs_joined(words, layer.paint.shapes, width, height)
    words = with_values_joined(notes, words, projection)
    words += note_words(notes, words, projection)
    order = reading_order([word.box for word in words])
    ordered = tuple(with_overlaps_disputed(tidy([words[position] for position in order], width, height)))
    read = Page(number, width, height, ordered, codes=codes)
    resolution, is_one_picture = layer.paint.resolution / unit, layer.paint.is_one_picture
    return LayerPage(read, assessment, resolution, unit, is_one_picture, *odd)


def _words(raw: RawWords) -> Iterator[Word]:
    return map(Word, raw.texts, starmap(Box, raw.boxes.tolist()))
