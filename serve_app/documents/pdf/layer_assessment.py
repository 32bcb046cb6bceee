"""Whether the text layer of a page can be trusted.

Cheap signs come first; only a page that shows one is rendered, small and grey, to compare its ink with its words. The
thresholds were set on the development corpus: its text-layer pages leave 0 to 11 % of the ink unexplained where nothing
but a logo is a picture, its scans 100 %.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from serve_app.documents.pdf.characters import Characters
from serve_app.documents.pdf.ink import Ink
from serve_app.documents.pdf.paint import Paint
from serve_app.documents.pdf.visibility import Visibility
from serve_app.documents.pdf.words import RawWords

# Pictures covering more than this share of a page may contain text; above `SCAN` the page is a scan.
PICTURES = 0.05
SCAN = 0.5
# Lines and curves of complex drawings; letters drawn as outlines have about twenty each.
OUTLINES = 500
# Share of digits among letters and digits: invoices have 4 % and more, a page of terms less.
FEW_DIGITS = 0.025
# Share of a page's ink, and pieces of it, that no word explains.
UNEXPLAINED = 0.25
PIECES = 8
# Share of characters that may have no known meaning.
BROKEN = 0.1


class Verdict(StrEnum):
    """Where to take the words of a page from."""

    LAYER = "layer"
    OCR = "ocr"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Assessment:
    """The verdict with its reason, and which words of the layer are visible on the page. `is_scan`: they come from the
    scanner's OCR, and a picture shows them."""

    verdict: Verdict
    reason: str
    seen: NDArray[np.bool_]
    is_scan: bool = False


@dataclass(frozen=True, slots=True)
class Layer:
    """Everything the file itself says about a page."""

    characters: Characters
    words: RawWords
    visibility: Visibility
    paint: Paint


def assess_layer(layer: Layer, render: Callable[[], Ink]) -> Assessment:
    """Decide for one page; `render` is called only if the file itself raises a doubt."""
    shown = ~layer.visibility.hidden
    if not len(shown) and layer.paint.picture_share > 0:
        return Assessment(Verdict.OCR, "pictures without a text layer", shown)
    is_doubtful = _is_doubtful(layer)
    if not is_doubtful and not layer.visibility.pale.any():
        return Assessment(Verdict.LAYER, "nothing suspicious", shown)
    ink = render()
    if ink.is_blank:
        return Assessment(Verdict.LAYER, "nothing can be seen", np.zeros_like(shown))
    seen = ink.below(layer.words.boxes)
    if not is_doubtful:
        return Assessment(Verdict.LAYER, "pale words looked at", seen & shown)
    if _is_unmapped(layer):
        return Assessment(Verdict.OCR, "glyphs without a known meaning", np.zeros_like(shown))
    if layer.paint.picture_share >= SCAN and (layer.paint.covers_text or 2 * shown.sum() < len(shown)):
        return _assess_scan(layer, ink, seen)
    return _assess_page(layer, ink, shown, seen)


def _is_doubtful(layer: Layer) -> bool:
    """Cheap signs that something on the page is not text, or that its text is not what it seems."""
    if not layer.words.texts:
        return layer.paint.objects > 0
    return bool(
        layer.paint.picture_share >= PICTURES
        or layer.paint.outlines >= OUTLINES
        or layer.visibility.unmapped.any()
        or layer.characters.is_odd.any()
        or _has_few_digits(layer.words.texts)
    )


def _has_few_digits(texts: list[str]) -> bool:
    text = "".join(texts)
    digits = sum(map(text.count, "0123456789"))
    return digits < FEW_DIGITS * len(text)


def _is_unmapped(layer: Layer) -> bool:
    """Glyphs without a meaning in the file. A single one is a bullet or an icon; several in a row are a lost word."""
    odd = layer.characters.is_odd
    lost = int((odd[1:] & odd[:-1]).sum()) + int(layer.visibility.unmapped.sum())
    return lost >= 4 or lost + int(odd.sum()) > BROKEN * max(1, int((~layer.characters.separates).sum()))


def _assess_scan(layer: Layer, ink: Ink, seen: NDArray[np.bool_]) -> Assessment:
    """A picture fills the page: words on its ink, painted or not, come from the scanner's OCR."""
    share, _ = ink.unexplained(layer.words.boxes[seen])
    if seen.mean() < 0.8 or share > UNEXPLAINED:
        return Assessment(Verdict.OCR, "a scan whose text layer does not fit its ink", seen)
    if _has_few_digits(layer.words.texts):
        return Assessment(Verdict.OCR, "a scan whose text layer lacks digits", seen)
    return Assessment(Verdict.LAYER, "a scan with a fitting text layer", seen, is_scan=True)


def _assess_page(layer: Layer, ink: Ink, shown: NDArray[np.bool_], seen: NDArray[np.bool_]) -> Assessment:
    seen = seen & shown
    share, pieces = ink.unexplained(layer.words.boxes[seen])
    if not seen.any():
        verdict = Verdict.OCR if pieces or layer.paint.picture_share > 0 else Verdict.LAYER
        return Assessment(verdict, "no visible text layer", seen)
    if seen.sum() < 0.7 * shown.sum() and share > UNEXPLAINED:
        return Assessment(Verdict.OCR, "words and ink in different places", seen)
    if _has_few_digits(layer.words.texts) and pieces >= PIECES:
        return Assessment(Verdict.OCR, "few digits, and ink without words", seen)
    if share > UNEXPLAINED and pieces >= PIECES:
        return Assessment(Verdict.BOTH, "ink without words", seen)
    return Assessment(Verdict.LAYER, "the words explain the ink", seen)
