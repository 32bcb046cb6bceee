"""What each model saw in the words of a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from serve_app.domain.document import Box, Document
from serve_app.domain.labels import OUTSIDE
from serve_app.domain.reading import Reading


@dataclass(frozen=True, slots=True)
class SeenWord:
    """A word with the label that a model finds likeliest, and the probability of it; no label if that is none."""

    text: str
    box: Box
    label: str | None
    probability: float


def seen(document: Document, reading: Reading) -> list[list[SeenWord]]:
    """The words of each page, as a model labels them."""
    return [
        [_word(word.text, word.box, reading.tags, scores) for word, scores in zip(page.words, of.scores, strict=True)]
        for page, of in zip(document.pages, reading.pages, strict=True)
    ]


def _word(text: str, box: Box, tags: Sequence[str], scores: Sequence[float]) -> SeenWord:
    best = max(range(len(tags)), key=lambda index: scores[index])
    label = None if tags[best] == OUTSIDE else tags[best][2:]
    return SeenWord(text, box, label, float(scores[best]))
