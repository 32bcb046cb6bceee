"""Tesseract, as a library: its models stay loaded between pages."""

import os
import re
import shutil
import statistics
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from serve_app.documents.images.light import even
from serve_app.documents.images.picture import Picture, in_grey
from serve_app.documents.ocr.engine import SeenWord
from serve_app.documents.ocr.words import rarer
from serve_app.documents.options import OcrOptions
from serve_app.domain.user_error import UserError

# The model that reads numbers and names that were cut out.
_LATIN = "eng"


@contextmanager
def _one_thread() -> Iterator[None]:
    """OpenMP reads its limit when the library is loaded; a page gains little from more threads."""
    before = os.environ.get("OMP_THREAD_LIMIT")
    os.environ["OMP_THREAD_LIMIT"] = before or "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["OMP_THREAD_LIMIT"]


with _one_thread():
    import tesserocr

_TOO_HIGH = 2.0
"""A word this many times taller than usual in its line includes a rule or a stain."""
_LINE_HEIGHT = 48
_MARGIN = 12
"""Pixels: the height of lines that are read alone, and the paper around them."""
_RULE = 0.8
"""A row or a column of pixels with at least this share of ink is a rule."""
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_LEFT_TO_RIGHT = re.compile(r"[0-9A-Za-z](?:[^\s\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]*[0-9A-Za-z])?")
_MIRRORED = str.maketrans("()[]{}<>", ")(][}{><")
# Debian's folders by version, newest first; the wheel brings a library but no models.
_USUAL_FOLDERS = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
)


def tessdata() -> Path:
    """The folder of Tesseract's models: TESSDATA_PREFIX, else a usual one, else where the program itself looks.

    Raises UserError if there is none.
    """
    prefix = os.environ.get("TESSDATA_PREFIX")
    if prefix:
        return _checked_prefix(Path(prefix))
    folders = [Path(folder) for folder in _USUAL_FOLDERS] + _folder_of_program()
    for folder in folders:
        if any(folder.glob("*.traineddata")):
            return folder
    raise UserError("Tesseract's language data was not found; install tesseract-ocr, or set TESSDATA_PREFIX.")


def _checked_prefix(prefix: Path) -> Path:
    for folder in (prefix, prefix / "tessdata"):
        if any(folder.glob("*.traineddata")):
            return folder
    raise UserError(f"TESSDATA_PREFIX is {prefix}, but that folder has no *.traineddata files.")


def _folder_of_program() -> list[Path]:
    """The folder in the first line of `tesseract --list-langs`: List of available languages in "FOLDER"."""
    program = shutil.which("tesseract")
    if program is None:
        return []
    answer = subprocess.run([program, "--list-langs"], capture_output=True, text=True, check=False)  # noqa: S603
    parts = answer.stdout.split('"')
    return [Path(parts[1])] if len(parts) > 2 else []


def installed(model: str) -> bool:
    """Whether Tesseract has a model, of a language ("ces") or of an alphabet ("Cyrillic")."""
    try:
        return (tessdata() / f"{model}.traineddata").is_file()
    except UserError:
        return False


def check(options: OcrOptions) -> None:
    """Raise ValueError if a language pack is missing."""
    folder = tessdata()
    missing = [name for name in options.languages if not (folder / f"{name}.traineddata").is_file()]
    if missing or not options.languages:
        lacking = ", ".join(missing) or "at least one language"
        raise UserError(f"Tesseract lacks {lacking} in {folder}; install its language packs.")


class TesseractEngine:
    """Reads with all configured languages at once."""

    def __init__(self, options: OcrOptions) -> None:
        check(options)
        tesserocr.set_leptonica_log_level(tesserocr.LeptLogLevel.NONE)
        self._api = tesserocr.PyTessBaseAPI(
            path=str(tessdata()),
            lang="+".join(options.languages),
            psm=tesserocr.PSM.AUTO,
            oem=tesserocr.OEM.LSTM_ONLY,
        )

    def read(self, picture: Picture, text_height: float | None = None) -> list[SeenWord]:
        # Tesseract uses one threshold for the whole page; the networks of other engines cope with shadows by
        # themselves.
        grey = even(in_grey(picture))
        height, width = grey.shape
        self._api.SetImageBytes(grey.tobytes(), width, height, 1, width)
        try:
            self._api.Recognize()
            return list(self._words())
        finally:
            self._api.Clear()

    def read_lines(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
        return LineReader(_LATIN).read_lines(lines)

    def _words(self) -> Iterator[SeenWord]:
        word_level, line_level = tesserocr.RIL.WORD, tesserocr.RIL.TEXTLINE
        results = self._api.GetIterator()
        line: list[SeenWord] = []
        for word in tesserocr.iterate_level(results, word_level) if results else ():
            box = word.BoundingBox(word_level)
            if box is not None and not word.Empty(word_level):
                line.append(_seen(word.GetUTF8Text(word_level), box, word.Confidence(word_level)))
            if word.IsAtFinalElement(line_level, word_level):
                yield from _as_high_as_their_line(line)
                line = []
        yield from _as_high_as_their_line(line)


@dataclass(frozen=True, slots=True)
class LineWord:
    """A word of a line: its left and right edge as fractions of the line's width, `confidence` from 0 to 1."""

    text: str
    left: float
    right: float
    confidence: float


class LineReader:
    """Reads pictures of single lines with one model; raise RuntimeError if it is not installed."""

    def __init__(self, name: str) -> None:
        self.name = name
        tesserocr.set_leptonica_log_level(tesserocr.LeptLogLevel.NONE)
        self._api = tesserocr.PyTessBaseAPI(
            path=str(tessdata()), lang=name, psm=tesserocr.PSM.SINGLE_LINE, oem=tesserocr.OEM.LSTM_ONLY
        )

    def read(self, line: Picture) -> list[LineWord]:
        """The words of a picture of a line, from left to right."""
        grey = _without_rules(in_grey(line))
        scale = _LINE_HEIGHT / grey.shape[0]
        sized = cv2.resize(grey, (max(1, round(grey.shape[1] * scale)), _LINE_HEIGHT), interpolation=cv2.INTER_CUBIC)
        # It expects paper around the ink.
        framed = np.pad(sized, _MARGIN, mode="edge")
        height, width = framed.shape
        self._api.SetImageBytes(framed.tobytes(), width, height, 1, width)
        try:
            self._api.Recognize()
            return sorted(self._words(sized.shape[1]), key=lambda word: word.left)
        finally:
            self._api.Clear()

    def read_lines(self, lines: Sequence[Picture]) -> list[tuple[str, float]]:
        """As `OcrEngine.read_lines`."""
        return [
            (" ".join(word.text for word in words), min((word.confidence for word in words), default=0.0))
            for words in map(self.read, lines)
        ]

    def _words(self, width: int) -> Iterator[LineWord]:
        level, results = tesserocr.RIL.WORD, self._api.GetIterator()
        for word in tesserocr.iterate_level(results, level) if results else ():
            box = word.BoundingBox(level)
            if box is not None and not word.Empty(level):
                left, right = (min(max((x - _MARGIN) / width, 0.0), 1.0) for x in (box[0], box[2]))
                yield LineWord(_as_written(word.GetUTF8Text(level)), left, right, word.Confidence(level) / 100)


@cache
def line_reader() -> LineReader | None:
    """The reader of Latin letters, kept once it was needed; None if its model is not installed."""
    return LineReader(_LATIN) if installed(_LATIN) else None


def _without_rules(grey: Picture) -> Picture:
    """A line without the rules of a table beside its words, which Tesseract reads as brackets."""
    paper = np.median(grey)
    ink = rarer(grey)
    bare = grey.copy()
    for axis in (0, 1):
        rules = ink.mean(axis=axis) > _RULE
        bare[(slice(None), rules) if axis == 0 else (rules, slice(None))] = paper
    return bare


def _as_written(word: str) -> str:
    """A word in the order in which it is written: of a single line, Tesseract tells Hebrew and Arabic letters from left
    to right. Numbers and Latin letters inside keep their order."""
    if not _RIGHT_TO_LEFT.search(word):
        return word
    return _LEFT_TO_RIGHT.sub(lambda run: run[0][::-1], word[::-1].translate(_MIRRORED))


def _seen(text: str, box: tuple[int, int, int, int], percent: float) -> SeenWord:
    x0, y0, x1, y1 = box
    return SeenWord(text, x0, y0, x1, y1, percent / 100)


def _as_high_as_their_line(line: Sequence[SeenWord]) -> list[SeenWord]:
    """Tesseract's boxes end at the ink: a dash is as flat as its stroke, and such heights do not help to find lines."""
    if not line:
        return []
    usual = statistics.median(word.y1 - word.y0 for word in line)
    sound = [word for word in line if word.y1 - word.y0 <= _TOO_HIGH * usual]
    top, bottom = min(word.y0 for word in sound), max(word.y1 for word in sound)
    return [replace(word, y0=top, y1=bottom) if word in sound else word for word in line]
