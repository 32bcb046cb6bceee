"""The interface of OCR engines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from serve_app.documents.images.picture import Picture


@dataclass(frozen=True, slots=True)
class SeenWord:
    """A word as an engine saw it: edges in pixels of the picture, `confidence` from 0 to 1."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float


class OcrEngine(Protocol):
    """Reads upright pictures. An engine is loaded once per process and used by one thread at a time."""

    def read(self, picture: Picture, text_height: float | None = None) -> list[SeenWord]:
        """The words of the picture, in any order. `text_height`: the usual height of its characters in pixels, where it
        is known."""

    def read_lines(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
        """The text of each picture of a line or a word, and the confidence of its least certain part, 0 to 1."""
