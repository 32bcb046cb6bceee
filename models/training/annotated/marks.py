"""From marks on a page to tags of its words."""

from collections.abc import Collection
from dataclasses import dataclass

from serve_app.domain.document import Box, Page
from serve_app.domain.labels import OUTSIDE, UNKNOWN, Label

_LABELS = {label.value.lower(): label.value for label in Label} | {"?": UNKNOWN}
# A word belongs to a value that takes this share of it: a currency glued before an amount may take more than half.
_LEAST_SHARE = 0.4


class MarkError(ValueError):
    """A mark that names no label."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place where a value stands: `number` counts the marked elements of a document, `label` is a tag's label or
    `?`; a value over several lines has several places."""

    number: int
    label: str
    page: int
    box: Box


def label_of(text: str) -> str:
    """The label that an attribute `data-l` names. Raise MarkError if it names none."""
    try:
        return _LABELS[text]
    except KeyError as error:
        raise MarkError(f"{text!r} is no label") from error


def tags_of(page: Page, marks: Collection[Mark]) -> list[str]:
    """IOB2 tags of a page's words by the marks on it; a word that two values share belongs to the wider one."""
    labels = {mark.number: mark.label for mark in marks}
    seen: set[int] = set()
    tags = []
    for word in page.words:
        number = _mark_of(word.box, marks)
        label = OUTSIDE if number is None else labels[number]
        if number is None or label == UNKNOWN:
            tags.append(label)
            continue
        tags.append(f"{'I' if number in seen else 'B'}-{label}")
        seen.add(number)
    return tags


def _mark_of(box: Box, marks: Collection[Mark]) -> int | None:
    """The mark that covers most of a word; None if none covers enough of it."""
    covered = [(_across(box, mark.box), mark.number) for mark in marks if mark.box.y0 < box.y_center < mark.box.y1]
    share, number = max(covered, default=(0.0, None))
    return number if share >= _LEAST_SHARE else None


def _across(box: Box, other: Box) -> float:
    """The share of a box's width that another covers."""
    return max(0.0, min(box.x1, other.x1) - max(box.x0, other.x0)) / max(box.x1 - box.x0, 1e-9)
