"""Turn a picture of a page into a `Page`: upright and evenly lit, read, and cleaned up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from serve_app.documents.images.geometry import View
from serve_app.documents.images.ink import find_ink
from serve_app.documents.images.lines import skew, upward_share
from serve_app.documents.images.paper import flattened
from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.clean import clean
from serve_app.documents.ocr.engine import OcrEngine, SeenWord
from serve_app.documents.ocr.engines import engine
from serve_app.documents.ocr.stopwatch import running
from serve_app.documents.options import ReadOptions
from serve_app.documents.progress import step_done
from serve_app.domain.document import Page, TextSource
from serve_app.domain.reading_order import reading_order

_UPRIGHT = 0.5
"""Quality (0 to 1) at which a reading is accepted without trying the other orientations. Measured: pages that stand
upright have 0.7 and more, upside down or sideways under 0.4, with either engine."""
_UNCLEAR = (0.3, 0.7)
"""Range of the share of upward lines in which all four orientations are tried; outside it, only the two that fit."""
_TEXT_HEIGHT = 20.0
"""Usual height that characters should have, in pixels."""
_WORTH_ENLARGING = 1.4
_MOST_ENLARGED = 3.0
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
        reading = _read(View.of(picture), engine(options.ocr))
        words = clean(reading.words, reading.view.picture)
    if not words:
        return Page(number, width, height, (), TextSource.OCR)
    words = [words[index] for index in reading_order([word.box for word in words])]
    if reading.view.is_shown:
        return Page(number, width, height, tuple(words), TextSource.OCR)
    own_width, own_height = reading.view.size_in_points(width, height)
    return Page(number, own_width, own_height, tuple(words), TextSource.OCR, reading.view.homography())


def _read(shown: View, reader: OcrEngine) -> _Reading:
    """The first good reading, trying the likeliest orientation first; else the best of all."""
    readings: list[_Reading] = []
    for view in _ways_up(flattened(shown)):
        readings.append(_Reading(view, reader.read(view.picture)))
        step_done()
        if readings[-1].quality >= _UPRIGHT or readings[-1].characters < _TOO_FEW:
            break
    return max(readings, key=lambda reading: reading.total_score)


def _ways_up(view: View) -> Iterator[View]:
    """The view with level lines in quarter turns: first as its lines run, then upside down, then on its sides."""
    ink = find_ink(view.picture)
    upwards = upward_share(ink) if ink else 0.0
    ways = (1, 3, 0, 2) if upwards > 0.5 else (0, 2, 1, 3)
    is_clear = ink is not None and not _UNCLEAR[0] <= upwards <= _UNCLEAR[1]
    for quarters in ways[:2] if is_clear else ways:
        yield _levelled(view.turned(quarters))


def _levelled(view: View) -> View:
    """Level the lines and enlarge small text: turning would blur it, and Tesseract needs it larger."""
    ink = find_ink(view.picture)
    if ink is None:
        return view
    angle, scale = skew(ink), min(max(_TEXT_HEIGHT / ink.text_height, 1.0), _MOST_ENLARGED)
    return view.rotated(angle, scale) if angle or scale > _WORTH_ENLARGING else view


def _stands_on_end(word: SeenWord) -> bool:
    return len(word.text) > 2 and word.y1 - word.y0 > 1.5 * (word.x1 - word.x0)
