"""PP-OCR: the models of the rapidocr package, run here so that nothing is ever downloaded."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.alphabets import OtherAlphabets
from serve_app.documents.ocr.detection import Detector, Quad
from serve_app.documents.ocr.engine import SeenWord
from serve_app.documents.ocr.line_networks import load_line_network
from serve_app.documents.ocr.networks import DETECTOR, check_device, check_models, load_network
from serve_app.documents.ocr.recognition import LINE_HEIGHT, Recogniser
from serve_app.documents.ocr.scripts import in_one_script
from serve_app.documents.ocr.words import words_of_line
from serve_app.documents.options import OcrOptions
from serve_app.system.heap import trim_heap

_VERTICAL = 2.0
"""A line this many times taller than wide runs from bottom to top or from top to bottom."""


def check(options: OcrOptions) -> None:
    """Raise UserError if a model or a requested device is missing."""
    check_models()
    check_device(options.device)


class RapidOcrEngine:
    """Finds lines with one network and reads them with another; knows all languages at once."""

    def __init__(self, options: OcrOptions) -> None:
        check(options)
        # Without a GPU, what could use it takes 15 MB.
        device = "cpu" if options.device == "auto" and not options.has_gpu else options.device
        self._detector = Detector(load_network(DETECTOR, device))
        self._recogniser = Recogniser(load_line_network(device))
        self._alphabets = OtherAlphabets()
        # What loading needed would otherwise be kept as free memory.
        trim_heap()

    def read(self, picture: Picture, text_height: float | None = None) -> list[SeenWord]:
        quads = [_reading_direction(quad) for quad in self._detector.lines(picture, text_height)]
        lines = [_cut(picture, quad) for quad in quads]
        readings = zip(quads, lines, self._recogniser.read(lines), strict=True)
        read = [list(_in_one_script(words_of_line(quad, line, letters))) for quad, line, letters in readings]
        return [word for line in self._alphabets.reread(quads, lines, read) for word in line]

    def read_lines(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
        read = self._recogniser.read(lines)
        return [
            ("".join(letter.text for letter in letters), min((letter.confidence for letter in letters), default=0.0))
            for letters in read
        ]


def _in_one_script(line: Sequence[SeenWord]) -> Iterator[SeenWord]:
    for word, text in zip(line, in_one_script([word.text for word in line]), strict=True):
        yield replace(word, text=text)


def _sides(quad: Quad) -> tuple[float, float]:
    """Width and height, in pixels."""
    width = max(np.linalg.norm(quad[0] - quad[1]), np.linalg.norm(quad[2] - quad[3]))
    height = max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[1] - quad[2]))
    return float(width), float(height)


def _reading_direction(quad: Quad) -> Quad:
    """A tall line is assumed to run from bottom to top, as in the margin of a form."""
    width, height = _sides(quad)
    return np.roll(quad, 1, axis=0) if height > _VERTICAL * width else quad


def _cut(picture: Picture, quad: Quad) -> Picture:
    """The picture of a line, no higher than it is read."""
    width, height = _sides(quad)
    scale = min(1.0, LINE_HEIGHT / max(height, 1.0))
    width, height = max(1, round(width * scale)), max(1, round(height * scale))
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad, target)
    return cast(Picture, cv2.warpPerspective(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE))
