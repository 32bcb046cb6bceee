"""Lines in alphabets that PP-OCR does not know: read again by Tesseract, whose models know one alphabet each.

PP-OCR is the better reader of Latin letters, digits and Chinese, and finds the lines of every page. What it makes of a
Cyrillic or Hebrew word is nonsense in Latin letters, but it is unsure of that. Only then are the models of other
alphabets tried, on a few lines, and the one that is surest reads the lines of the page that have letters.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.detection import Quad
from serve_app.documents.ocr.engine import SeenWord
from serve_app.documents.ocr.scripts import in_cyrillic, is_latin
from serve_app.documents.ocr.tesseract import LineReader, LineWord, installed, line_reader
from serve_app.documents.ocr.words import boxes_on_page
from serve_app.documents.progress import step_done
from serve_app.system.heap import trim_heap

_LETTERS = {
    "eng": "A-Za-z\u00c0-\u024f",
    "Arabic": "\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufeff",
    "Armenian": "\u0530-\u058f",
    "Bengali": "\u0980-\u09ff",
    "Cyrillic": "\u0400-\u052f",
    "Devanagari": "\u0900-\u097f",
    "Ethiopic": "\u1200-\u139f",
    "Georgian": "\u10a0-\u10ff",
    "Greek": "\u0370-\u03ff\u1f00-\u1fff",
    "Gujarati": "\u0a80-\u0aff",
    "Gurmukhi": "\u0a00-\u0a7f",
    "Hangul": "\u1100-\u11ff\uac00-\ud7af",
    "Hebrew": "\u0590-\u05ff\ufb1d-\ufb4f",
    "Kannada": "\u0c80-\u0cff",
    "Khmer": "\u1780-\u17ff",
    "Lao": "\u0e80-\u0eff",
    "Malayalam": "\u0d00-\u0d7f",
    "Myanmar": "\u1000-\u109f",
    "Sinhala": "\u0d80-\u0dff",
    "Tamil": "\u0b80-\u0bff",
    "Telugu": "\u0c00-\u0c7f",
    "Thai": "\u0e00-\u0e7f",
}
"""The letters of each alphabet, by the name of Tesseract's model for it."""

_ANCIENT = {0x0313: None, 0x0314: None, 0x0345: None, 0x0342: 0x0301}
"""Breathings and the iota below a letter, which modern Greek has no longer, and the circumflex, which is its acute."""
_LATIN = "eng"
_UNSURE = 0.86
"""A line that PP-OCR is less sure of may be in another alphabet."""
_MOST_OF = 0.3
"""The least share of a page's lines, by their length, that are unsure if other alphabets are to be tried."""
_UPRIGHT = 0.4
"""A page that PP-OCR is less sure of as a whole stands on its head or on its side."""
_SAMPLE = 4
"""Lines on which each model is tried."""
_SHORT = 4.0
"""A shorter line, as a multiple of its height, is not tried."""
_SURE = 0.5
"""How sure a model must be of letters of its alphabet, 0 to 1."""
_IS_LATIN = 0.65
"""How sure Tesseract must be of Latin letters for a page to be in these, and no model to be tried: of pages in other
alphabets it was sure of 0.28 to 0.49."""
_LESS_SURE = 0.3
"""On a page in its alphabet, a model may be less sure of a line than PP-OCR by no more than this: letters that look
alike in two alphabets are read surely in the wrong one."""
_SURER = 0.05
"""Tesseract's model for Latin letters must be so much surer of a word than the model for the page's alphabet."""
_LEGIBLE = 0.5
"""PP-OCR is the better reader of a number of which it is so sure."""
_DIGITS = 3
"""A number with letters has so many times as many digits."""
_KNOWN = frozenset({"Greek"})
"""Alphabets of which PP-OCR knows the letters, if not the words."""

Line = Sequence[SeenWord]


@dataclass(frozen=True, slots=True)
class _Cut:
    """A line: where it is on its page, its picture, and what PP-OCR read."""

    quad: Quad
    picture: Picture
    words: Line

    @property
    def length(self) -> float:
        """The length as a multiple of the height: a line of Latin letters has some two characters for each."""
        height, width = self.picture.shape[:2]
        return float(width / height)

    @property
    def mean_certainty(self) -> float:
        return _mean_certainty(self.words, self.length)

    @property
    def may_have_letters(self) -> bool:
        """Whether it is anything but a number that was read surely."""
        return self.mean_certainty < _UNSURE or any(map(str.isalpha, "".join(word.text for word in self.words)))


def _characters(words: Line) -> int:
    return sum(len(word.text) for word in words)


def _certainty(words: Line) -> float:
    """The confidences of all characters added up."""
    return sum(len(word.text) * word.confidence for word in words)


def _mean_certainty(words: Line, length: float) -> float:
    """The mean confidence of the characters, 0 to 1; less if there are fewer than a line of that length has."""
    return _certainty(words) / max(_characters(words), length)


class OtherAlphabets:
    """Reads lines again that PP-OCR could not read. Keeps the model that was needed last."""

    def __init__(self) -> None:
        self._last: LineReader | None = None

    def reread(self, quads: Sequence[Quad], pictures: Sequence[Picture], read: Sequence[Line]) -> list[Line]:
        """The words of each line of a page, read again where that is in another alphabet and one of the installed
        models knows it."""
        lines = [_Cut(*each) for each in zip(quads, pictures, read, strict=True)]
        sample = _sample(lines) if _installed() else []
        reader = self._reader_of(sample) if sample else None
        return [_better(line, reader) if reader else line.words for line in lines]

    def _reader_of(self, sample: Sequence[_Cut]) -> LineReader | None:
        """The reader of the alphabet that a sample of lines is in: the one that is surest of it, and surer than PP-OCR
        and than Tesseract is with Latin letters. None if there is none."""
        latin = _fit(LineReader(_LATIN), sample) if installed(_LATIN) else 0.0
        if latin > _IS_LATIN:
            return None
        least = max(_SURE, latin, sum(line.mean_certainty for line in sample) / len(sample))
        if self._last and _fit(self._last, sample) > least:
            return self._last
        best = None
        for name in _installed():
            reader = LineReader(name)
            mean_certainty = _fit(reader, sample)
            step_done()
            if mean_certainty > least:
                best, least = reader, mean_certainty
        self._last = best or self._last
        # The models that were tried would otherwise be kept as free memory.
        trim_heap()
        return best


@cache
def _installed() -> tuple[str, ...]:
    return tuple(name for name in _LETTERS if name != _LATIN and installed(name))


def _sample(lines: Sequence[_Cut]) -> list[_Cut]:
    """The longest of the lines that may be in another alphabet; none if these are few, or the page is not upright."""
    everything = [word for line in lines for word in line.words]
    mean_certainty = _certainty(everything) / max(_characters(everything), 1)
    unsure = [line for line in lines if line.mean_certainty < _UNSURE]
    if mean_certainty < _UPRIGHT or sum(line.length for line in unsure) < _MOST_OF * sum(line.length for line in lines):
        return []
    long = (line for line in unsure if line.length > _SHORT)
    return sorted(long, key=lambda line: -line.length)[:_SAMPLE]


def _fit(reader: LineReader, sample: Sequence[_Cut]) -> float:
    """How sure a reader is of the letters of its alphabet in some lines, 0 to 1, counting the others as misread."""
    words = [word for line in sample for word in reader.read(line.picture)]
    letters = sum(map(str.isalpha, "".join(word.text for word in words)))
    return sum(_count(reader.name, word.text) * word.confidence for word in words) / max(letters, 1)


def _count(name: str, text: str) -> int:
    return len(re.findall(f"[{_LETTERS[name]}]", text))


def _better(line: _Cut, reader: LineReader) -> Line:
    """The line with what PP-OCR reads better, and the rest as a reader reads it, if that finds letters of its alphabet
    and is about as sure."""
    if not line.may_have_letters:
        return line.words
    kept = [word for word in line.words if _is_better_known(word, reader.name)]
    found = reader.read(line.picture)
    again = _on_page(line, found, kept)
    before = [word for word in line.words if word not in kept]
    left, right = line.quad[:, 0].min(), line.quad[:, 0].max()
    length = line.length * (1 - sum(word.x1 - word.x0 for word in kept) / max(right - left, 1.0))
    is_own = any(_count(reader.name, word.text) for word in again)
    if not is_own or _mean_certainty(again, length) < max(_SURE, _mean_certainty(before, length) - _LESS_SURE):
        return _in_alphabet(line.words, reader.name)
    again = _on_page(line, _with_latin(found, line.picture), kept)
    return sorted([*again, *kept], key=lambda word: word.x0)


def _in_alphabet(words: Line, alphabet: str) -> Line:
    """Words as PP-OCR read them, on a page in an alphabet."""
    if alphabet != "Cyrillic":
        return words
    return [replace(word, text=in_cyrillic(word.text)) for word in words]


def _is_better_known(word: SeenWord, alphabet: str) -> bool:
    """Whether PP-OCR is the better reader of a word: numbers, signs of money, and Greek that it is sure of."""
    digits, letters = (sum(map(test, word.text)) for test in (str.isdigit, str.isalpha))
    # What it makes of letters that it does not know has some digits, too: ":77D".
    if digits and (not letters or digits >= _DIGITS * letters):
        return word.confidence >= _LEGIBLE
    is_money = all(unicodedata.category(letter) == "Sc" for letter in word.text)
    return word.confidence >= _UNSURE and (is_money or alphabet in _KNOWN)


def _on_page(line: _Cut, words: Sequence[LineWord], kept: Line) -> list[SeenWord]:
    """The words of a line as a reader reads it, without those in the place of one that is kept."""
    boxes = boxes_on_page(line.quad, line.picture, [(word.left, word.right) for word in words])
    seen = [
        SeenWord(_modern(word.text), *box, confidence=word.confidence) for word, box in zip(words, boxes, strict=True)
    ]
    return [word for word in seen if not any(_overlap(word, other) for other in kept)]


def _with_latin(words: Sequence[LineWord], picture: Picture) -> list[LineWord]:
    """The words of a line, of which those that the model for Latin letters is surer of are as it reads them."""
    reader = line_reader()
    latin = [word for word in reader.read(picture) if is_latin(word.text)] if reader else []
    for word in latin:
        under = [other for other in words if other.left < (word.left + word.right) / 2 < other.right]
        under += [other for other in words if word.left < (other.left + other.right) / 2 < word.right]
        if all(other.confidence + _SURER < word.confidence for other in under):
            words = [*(other for other in words if other not in under), word]
    return sorted(words, key=lambda word: word.left)


def _overlap(one: SeenWord, other: SeenWord) -> bool:
    return one.x0 < (other.x0 + other.x1) / 2 < one.x1 or other.x0 < (one.x0 + one.x1) / 2 < other.x1


def _modern(text: str) -> str:
    """Greek without the breathings of the ancients, which the model for its letters knows, too."""
    letters = unicodedata.normalize("NFD", text).translate(_ANCIENT)
    return unicodedata.normalize("NFC", letters) if letters != text else text
