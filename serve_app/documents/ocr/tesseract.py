"""Tesseract, as a library: its models stay loaded between pages."""

import os
import shutil
import statistics
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import cv2

from serve_app.documents.images.light import even
from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.engine import SeenWord
from serve_app.documents.options import OcrOptions
from serve_app.domain.user_error import UserError


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


def check(options: OcrOptions) -> None:
    """Raise ValueError if a language pack is missing."""
    folder = tessdata()
    missing = [name for name in options.languages if not (folder / f"{name}.traineddata").is_file()]
    if missing or not options.languages:
        wanted = ", ".join(missing) or "at least one language"
        raise UserError(f"Tesseract lacks {wanted} in {folder}; install its language packs.")


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

    def read(self, picture: Picture) -> list[SeenWord]:
        # Tesseract uses one threshold for the whole page; the networks of other engines cope with shadows by
        # themselves.
        grey = even(picture if picture.ndim == 2 else cast(Picture, cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)))
        height, width = grey.shape
        self._api.SetImageBytes(grey.tobytes(), width, height, 1, width)
        try:
            self._api.Recognize()
            return list(self._words())
        finally:
            self._api.Clear()

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
