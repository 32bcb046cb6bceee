"""Two documents on one page or photo, side by side or one above the other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import numpy.typing as npt

from serve_app.domain.document import Box, Homography, Page, union
from serve_app.domain.labels import Label
from serve_app.extraction.captions import Caption
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import facts_of_page
from serve_app.extraction.split.facts import is_code
from serve_app.extraction.split.titles import names_invoice

_SUMS = (Label.TOTAL, Label.AMOUNT_DUE)
_ISSUER = (Label.SELLER,)
_STRIPE = 2.0
"""The least width of a stripe, as a multiple of the height of a line."""
_SHOWN = 0.5
"""A word is a sum or an issuer from this probability on."""
_TITLE_WORDS = 4
_OWN_NUMBER = frozenset({Caption.INVOICE_NUMBER, Caption.RECEIPT_NUMBER})
_SUM = frozenset({Caption.TOTAL, Caption.AMOUNT_DUE})

Words = npt.NDArray[np.intp]


def halves(page: PageEvidence) -> Iterator[tuple[Words, Words]]:
    """The words of the left and the right, and of the upper and the lower half of a page, wherever a blank stripe runs
    through the whole page and both halves have the head of an invoice and its sum."""
    if len(page.page.words) < 2:
        return
    boxes = np.array([(word.box.x0, word.box.y0, word.box.x1, word.box.y1) for word in page.page.words])
    line = float(np.median(boxes[:, 3] - boxes[:, 1])) * page.page.height
    for axis, side in enumerate((page.page.width, page.page.height)):
        split = _widest_stripe(page, boxes[:, axis], boxes[:, axis + 2], _STRIPE * line / side)
        if split is not None:
            is_first = boxes[:, axis] < split
            yield np.flatnonzero(is_first), np.flatnonzero(~is_first)


def sum_words(page: PageEvidence) -> list[int]:
    """The words that are a sum to be paid to the models, or by what the page calls them."""
    found: list[int] = np.flatnonzero(_shown(page, _SUMS, sums(page))).tolist()
    return found


def _widest_stripe(
    page: PageEvidence, starts: npt.NDArray[np.float64], ends: npt.NDArray[np.float64], least: float
) -> float | None:
    """Where the second half begins behind the widest blank stripe of at least this width; None if there is none."""
    order = np.argsort(starts, kind="stable")
    widths = starts[order][1:] - np.maximum.accumulate(ends[order])[:-1]
    if widths.max() < least:
        return None
    for labels, called in ((_SUMS, sums(page)), (_ISSUER, _heads(page))):
        shown = _shown(page, labels, called)[order]
        before, behind = np.logical_or.accumulate(shown), np.logical_or.accumulate(shown[::-1])[::-1]
        widths = np.where(before[:-1] & behind[1:], widths, 0.0)
    widest = int(np.argmax(widths))
    return float(starts[order][widest + 1]) if widths[widest] >= least else None


def _shown(page: PageEvidence, labels: Sequence[Label], called: Iterable[int]) -> npt.NDArray[np.bool_]:
    """For each word, whether the models give it one of the labels, or the page calls it so."""
    shown: npt.NDArray[np.bool_] = np.array(page.strongest(labels)) >= _SHOWN
    shown[list(called)] = True
    return shown


def _heads(page: PageEvidence) -> Iterator[int]:
    yield from own_numbers(page)
    for title in titles(page):
        yield from title


def cropped_evidence(page: PageEvidence, words: Words) -> PageEvidence:
    """Some words of a page as a page of their own."""
    part = cropped_page(page.page, words)
    facts = facts_of_page(part, has_thousandths=page.facts.has_thousandths)
    return PageEvidence(part, facts, page.inside[words], page.begins[words])


def cropped_page(page: Page, words: Words) -> Page:
    """Some words of a page, with the codes among them, as a page that is as large as the room that they take. Its
    places are still shown on the page of the file."""
    chosen = [page.words[index] for index in words.tolist()]
    frame = union(word.box for word in chosen)
    width, height = max(frame.width, 1e-6), max(frame.height, 1e-6)
    crop = np.array([[width, 0, frame.x0], [0, height, frame.y0], [0, 0, 1]])
    whole = np.eye(3) if page.to_shown is None else np.reshape(page.to_shown, (3, 3))
    return replace(
        page,
        width=page.width * width,
        height=page.height * height,
        words=tuple(replace(word, box=_within(word.box, frame, width, height)) for word in chosen),
        to_shown=cast(Homography, tuple((whole @ crop).ravel().tolist())),
        codes=tuple(
            replace(code, box=_within(code.box, frame, width, height))
            for code in page.codes
            if frame.x0 <= code.box.x_center <= frame.x1 and frame.y0 <= code.box.y_center <= frame.y1
        ),
    )


def _within(box: Box, frame: Box, width: float, height: float) -> Box:
    return Box(
        (box.x0 - frame.x0) / width,
        (box.y0 - frame.y0) / height,
        (box.x1 - frame.x0) / width,
        (box.y1 - frame.y0) / height,
    )


def titles(page: PageEvidence) -> Iterator[tuple[int, ...]]:
    """The words of each title without digits beside it."""
    for line in page.lines:
        for cell in page.cells_of(line):
            text = page.text(cell)
            if len(cell) <= _TITLE_WORDS and not any(map(str.isdigit, text)) and names_invoice(text):
                yield tuple(cell)


def own_numbers(page: PageEvidence) -> Iterator[int]:
    """The words that are called the number of the invoice."""
    return _called(page, _OWN_NUMBER)


def sums(page: PageEvidence) -> Iterator[int]:
    """The words that are called what is to be paid."""
    return _called(page, _SUM)


def _called(page: PageEvidence, names: frozenset[Caption]) -> Iterator[int]:
    for index, word in enumerate(page.page.words):
        if is_code(word.text):
            captions = page.captions((index,))
            if captions.skipped == 0 and not names.isdisjoint(captions.before):
                yield index
