"""Turn a picture of a page into a `Page`: upright and evenly lit, read, and cleaned up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from serve_app.documents.codes import read_codes
from serve_app.documents.images.geometry import View
from serve_app.documents.images.ink import find_ink
from serve_app.documents.images.lines import skew, upward_share
from serve_app.documents.images.paper import flattened
from serve_app.documents.images.picture import Picture, grey_if_colourless, sheet_side
from serve_app.documents.ocr.clean import clean
from serve_app.documents.ocr.engine import OcrEngine, SeenWord
from serve_app.documents.ocr.engines import engine
from serve_app.documents.ocr.names import with_names_checked
from serve_app.documents.ocr.raised import with_raised_digits
from serve_app.documents.ocr.stopwatch import running
from serve_app.documents.options import ReadOptions
from serve_app.documents.progress import step_done
from serve_app.domain.document import Page, TextSource
from serve_app.domain.reading_order import reading_order
from serve_app.system.heap import trim_heap

_UPRIGHT = 0.5
"""Quality (0 to 1) at which a reading is accepted without trying the other orientations. Measured: pages that stand
upright have 0.7 and more, upside down or sideways under 0.4, with either engine."""
_TEXT_HEIGHT = 20.0
"""Usual height that characters should have, in pixels."""
_WORTH_ENLARGING = 1.4
_MOST_ENLARGED = 3.0
_MOST_PIXELS = 40_000_000
"""Of an enlarged picture."""
_LONG = 2
"""Sheets. Trying the orientations of a longer picture on a part of one sheet takes less time than it saves."""
_TOO_FEW = 12
"""Characters. A page with fewer is not turned: a stray mark reads just as well upside down."""


@dataclass(frozen=True)
class _Reading:
    view: View
    words: Sequence[SeenWord]

    @property
    def characters(self) -> int:
        return sum(len(word.text) for word in self.words)

    @property
    def total_score(self) -> float:
        """The mean confidence of all characters, counting those in words that stand on end as misread."""
        return sum(len(word.text) * word.confidence for word in self.words if not _stands_on_end(word))

    @property
    def quality(self) -> float:
        return self.total_score / max(self.characters, 1)


def read_page(picture: Picture, number: int, width: float, height: float, options: ReadOptions) -> Page:
    """Read a picture of a page by OCR.

    `width` and `height` are those of the page as shown, in points; those of the result are of the upright page, and
    the result's `to_shown` maps back to the page as shown.
    """
    with running():
        reading = _read(View.of(grey_if_colourless(picture)), engine(options.ocr))
        picture = reading.view.picture
        cleaned = clean(with_raised_digits(reading.words, picture), picture)
        ordered = [cleaned[index] for index in reading_order([word.box for word in cleaned])]
        words = with_names_checked(ordered, picture, options.ocr)
        step_done()
    codes = read_codes(picture)
    # Within a page, each step uses the memory that the one before it needed: the system gives memory slowly.
    trim_heap()
    if not words or reading.view.is_shown:
        return Page(number, width, height, tuple(words), TextSource.OCR, codes=codes)
    own_width, own_height = reading.view.size_in_points(width, height)
    return Page(number, own_width, own_height, tuple(words), TextSource.OCR, reading.view.homography(), codes=codes)


def _read(shown: View, reader: OcrEngine) -> _Reading:
    """The first good reading, trying the likeliest orientation first; else the best of all. Of a long picture, each
    orientation is tried on a part."""
    readings: list[_Reading] = []
    for view, text_height in _ways_up(flattened(shown)):
        readings.append(_Reading(view, reader.read(_look(view.picture), text_height)))
        step_done()
        if readings[-1].quality >= _UPRIGHT or readings[-1].characters < _TOO_FEW:
            break
    best = max(readings, key=lambda reading: reading.total_score)
    picture = best.view.picture
    return best if _look(picture) is picture else _Reading(best.view, reader.read(picture))


def _look(picture: Picture) -> Picture:
    """The picture; of one that is as long as several sheets, so much around the middle of its print."""
    height, width = picture.shape[:2]
    sheet, axis = int(sheet_side(height, width)), int(width > height)
    if max(height, width) < _LONG * sheet:
        return picture
    ink = find_ink(picture)
    middle = float(np.median(ink.points[:, 1 - axis])) if ink else max(height, width) / 2
    start = int(min(max(middle - sheet / 2, 0), max(height, width) - sheet))
    return picture.take(range(start, start + sheet), axis)


def _ways_up(view: View) -> Iterator[tuple[View, float | None]]:
    """The view with level lines in quarter turns, each with the usual height of its characters, if it is known: first
    as its lines run, then upside down, then on its sides."""
    ink = view.ink
    for quarters in (1, 3, 0, 2) if ink and upward_share(ink) > 0.5 else (0, 2, 1, 3):
        yield _levelled(view.turned(quarters))


def _levelled(view: View) -> tuple[View, float | None]:
    """Level the lines and enlarge small text: turning would blur it, and Tesseract needs it larger. Also the usual
    height of its characters."""
    ink = view.ink
    if ink is None:
        return view, None
    width, height = view.size
    most = min(_MOST_ENLARGED, sqrt(_MOST_PIXELS / (width * height)))
    angle, scale = skew(ink), max(1.0, min(_TEXT_HEIGHT / ink.text_height, most))
    if angle or scale > _WORTH_ENLARGING:
        return view.rotated(angle, scale), scale * ink.text_height
    return view, ink.text_height


def _stands_on_end(word: SeenWord) -> bool:
    return len(word.text) > 2 and word.y1 - word.y0 > 1.5 * (word.x1 - word.x0)
