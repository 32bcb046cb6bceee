"""Names on a page that OCR read, read again: with more paper around them, and by the second engine.

Names stand in large and unusual print, in which letters and blanks are lost. The first reading, both others and what
the page prints elsewhere (a footer, an address in the internet) vote on each word. A word that loses without support
from elsewhere stays as it was read first, and is not certain.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import ratio

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.cut import cut_out
from serve_app.documents.ocr.engines import line_readers
from serve_app.documents.options import OcrOptions
from serve_app.domain.document import DISPUTED, Box, Word, union
from serve_app.domain.duplicates import vendor_words
from serve_app.domain.folding import folded
from serve_app.domain.reading_order import group_lines

# Print is large from this multiple of the usual height on.
_LARGE = 1.35
# Words of a line with a wider gap between them, as a multiple of their height, belong to two cells.
_GAP = 1.5
# A name has at most so many words, and at most so many cells of a page are read again.
_LONGEST = 8
_MOST = 10
# The paper around a cell, as a share of its height: above and below, and beside it, up to the middle of the gap to the
# next word.
_ABOVE = 0.3
_BESIDE = 0.5
# A reading with a lower confidence (0 to 1) says nothing.
_SURE = 0.7
# Two prints of a name are this much alike, of 100, blanks and marks left out; and so are two readings of a word.
_ALIKE = 88
_SAME_WORD = 60
# Letters of a word that a reading may find within another one.
_SHORTEST = 3
_DOMAIN = re.compile(r"(?:@|www\.|//)?([^\W_][\w-]{2,})\.(?:[a-z]{2,4}\.)?[a-z]{2,}(?![^\W_])")
_BARE = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "a", "œ": "o"})
_UMLAUT = re.compile("(?<=[aou])e")
_MARKS = re.compile(r"[\W_]+")

Place = tuple[int, int]
"""Words of a cell, from one to before another."""
Texts = tuple[str, ...]
Difference = tuple[Place, Texts]
"""What another reading has in a place."""


@dataclass(frozen=True, slots=True)
class _Elsewhere:
    """What the rest of the page prints: its words, each with its key, and the names in its internet addresses."""

    words: Sequence[str]
    keys: Sequence[str]
    domains: frozenset[str]

    def votes(self, cell: Sequence[str], start: int, end: int) -> int:
        """How much the page speaks for the words from `start` to before `end` of a cell: an address counts twice, as no
        OCR reads the same print again there."""
        is_printed = f" {' '.join(cell[start:end])} " in f" {' '.join(filter(None, self.keys))} "
        runs = ("".join(cell[first:last]) for first in range(start + 1) for last in range(end, len(cell) + 1))
        return is_printed + 2 * any(run in self.domains for run in runs)

    def has_address_like(self, cell: Sequence[str]) -> bool:
        """Whether an address is named after a cell but for a letter: "lidel.com" beside "LDEL"."""
        name = _as_in_address(vendor_words(" ".join(cell)).replace(" ", ""))
        return any(
            len(name) >= _SHORTEST and name != domain and Levenshtein.distance(name, domain, score_cutoff=1) == 1
            for domain in map(_as_in_address, self.domains)
        )

    def print_of(self, cell: Sequence[str]) -> list[str] | None:
        """The words that are most like those of a cell, if any are much alike."""
        own = "".join(cell)
        found = (
            (ratio(own, "".join(self.keys[at : at + length])), self.words[at : at + length])
            for length in range(max(1, len(cell) - 1), len(cell) + 4)
            for at in range(len(self.words) - length + 1)
            if self.keys[at][:1] == own[:1]
        )
        nothing: tuple[float, Sequence[str]] = (0.0, ())
        likeness, words = max(found, key=lambda each: each[0], default=nothing)
        return list(words) if likeness >= _ALIKE else None


def with_names_checked(words: Sequence[Word], picture: Picture, options: OcrOptions) -> list[Word]:
    """The words of a page, of which those of names may have changed; where it is not clear how to read one, its
    confidence is `DISPUTED`."""
    cells = _cells_in_question(words, picture.shape[1] / picture.shape[0])
    if not cells:
        return list(words)
    cuts = [cut_out(picture, _room(words, cell, picture), _ABOVE) for cell in cells]
    again = zip(*(read(cuts) for read in line_readers(options)), strict=True)
    keys = [_key(word.text) for word in words]
    changed: dict[int, list[Word]] = {}
    for cell, readings in zip(cells, again, strict=True):
        others = [text.split() for text, confidence in readings if confidence >= _SURE]
        changed |= _checked(words, cell, others, _elsewhere(words, keys, cell))
    return [word for index, old in enumerate(words) for word in changed.get(index, [old])]


def _cells_in_question(words: Sequence[Word], shape: float) -> list[list[int]]:
    """The cells that may be names: those in large print, and those with a company's legal form; the first ones if there
    are many. `shape` is the page's width over its height."""
    heights = sorted(word.box.height for word in words)
    usual = heights[len(heights) // 2] if heights else 0.0
    cells = (cell for line in group_lines([word.box for word in words]) for cell in _cells(words, line, shape))
    found = [cell for cell in cells if len(cell) <= _LONGEST and _may_be_name([words[at] for at in cell], usual)]
    return found[:_MOST]


def _cells(words: Sequence[Word], line: Sequence[int], shape: float) -> Iterator[list[int]]:
    cell = [line[0]]
    for before, index in pairwise(line):
        if (words[index].box.x0 - words[before].box.x1) * shape > _GAP * words[index].box.height:
            yield cell
            cell = []
        cell.append(index)
    yield cell


def _may_be_name(cell: Sequence[Word], usual: float) -> bool:
    text = " ".join(word.text for word in cell)
    is_large = union(word.box for word in cell).height >= _LARGE * usual
    has_form = vendor_words(text) != " ".join(_MARKS.sub(" ", text.casefold().replace(".", "")).split())
    return _is_of_letters(_key(text)) and "@" not in text and (is_large or has_form)


def _room(words: Sequence[Word], cell: Sequence[int], picture: Picture) -> Box:
    """A cell with the paper beside it."""
    box = union(words[index].box for index in cell)
    margin = _BESIDE * box.height * picture.shape[0] / picture.shape[1]
    beside = [word.box for word in words if word.box.y0 < box.y1 and box.y0 < word.box.y1]
    left = max((other.x1 for other in beside if other.x1 <= box.x0), default=-1.0)
    right = min((other.x0 for other in beside if other.x0 >= box.x1), default=2.0)
    return Box(
        max(0.0, box.x0 - margin, (left + box.x0) / 2), box.y0, min(1.0, box.x1 + margin, (right + box.x1) / 2), box.y1
    )


def _elsewhere(words: Sequence[Word], keys: Sequence[str], cell: Sequence[int]) -> _Elsewhere:
    kept = [index for index in range(len(words)) if index not in cell]
    others = [words[index].text for index in kept]
    domains = {match[1] for text in others if "." in text for match in _DOMAIN.finditer(text.lower())}
    return _Elsewhere(others, [keys[index] for index in kept], frozenset(map(_key, domains)))


def _checked(
    words: Sequence[Word], cell: Sequence[int], again: Sequence[list[str]], elsewhere: _Elsewhere
) -> dict[int, list[Word]]:
    """The words of a cell that change, each with what it becomes; where readings overlap, that with most votes."""
    own = [_key(words[index].text) for index in cell]
    readings = [_differences(own, reading) for reading in again]
    likely = elsewhere.print_of(own)
    found = [*([_differences(own, likely)] if likely else []), *readings]
    pairs = dict.fromkeys(pair for each in found for pair in each.items())
    changed: dict[int, list[Word]] = {}
    for lead, is_sure, (start, end), texts in sorted(
        _votes(own, pairs, readings, elsewhere), key=lambda each: -each[0]
    ):
        places = [index for index in cell[start:end] if index not in changed]
        if is_sure and len(places) == end - start:
            changed |= _replaced(words, places, texts)
        elif lead >= 0 or (likely and (start, end) in found[0]):
            changed |= _disputed(words, places)
    if not changed and elsewhere.has_address_like(own):
        return _disputed(words, cell)
    return changed


def _votes(
    own: Sequence[str], pairs: Iterable[Difference], readings: Sequence[Mapping[Place, Texts]], elsewhere: _Elsewhere
) -> Iterator[tuple[int, bool, Place, Texts]]:
    """How many votes more than the first reading each other one has, and whether it is the right one. Networks lose
    blanks: a reading without them is none against the one with them."""
    for (start, end), texts in pairs:
        keys = [_key(text) for text in texts]
        if not _are_readings_of_name(own[start:end], keys):
            continue
        against = [each for each in readings if any(first < end and start < last for first, last in each)]
        support = elsewhere.votes([*own[:start], *keys, *own[end:]], start, start + len(keys))
        has_blanks = "".join(keys) == "".join(own[start:end]) and len(keys) > end - start
        first = 0 if has_blanks and support else 1 + len(readings) - len(against)
        lead = support + sum(each.get((start, end)) == texts for each in readings)
        lead -= first + elsewhere.votes(own, start, end)
        yield lead, lead > 0 < support, (start, end), texts


def _differences(own: Sequence[str], reading: Sequence[str]) -> dict[Place, Texts]:
    """Where a reading has other words than the first one, and which."""
    pairs = [(key, text) for text in reading if (key := _key(text))]
    matcher = SequenceMatcher(None, own, [key for key, _ in pairs], autojunk=False)
    return {
        (start, end): tuple(text for _, text in pairs[first:last])
        for kind, start, end, first, last in matcher.get_opcodes()
        if kind == "replace"
    }


def _disputed(words: Sequence[Word], places: Iterable[int]) -> dict[int, list[Word]]:
    return {index: [replace(words[index], confidence=DISPUTED)] for index in places}


def _replaced(words: Sequence[Word], places: Sequence[int], texts: Sequence[str]) -> dict[int, list[Word]]:
    """The words at some places with other texts, which share their room by their lengths."""
    box = union(words[index].box for index in places)
    confidence = max(words[index].confidence for index in places)
    step = box.width / (sum(map(len, texts)) + len(texts) - 1)
    parts, at = [], box.x0
    for text in texts:
        parts.append(Word(text, Box(at, box.y0, at + step * len(text), box.y1), confidence))
        at += step * (len(text) + 1)
    return {index: parts if index == places[0] else [] for index in places}


def _are_readings_of_name(own: Sequence[str], other: Sequence[str]) -> bool:
    """Whether words may be another reading of words of a name: not of a legal form, of which misreadings are known, nor
    pieces of words whose letters are set apart."""
    are_alike = ratio("".join(own), "".join(other)) >= _SAME_WORD
    is_form = vendor_words(f"x {' '.join(own)}") == "x"
    are_pieces = len(other) > len(own) and min(map(len, other)) < _SHORTEST
    return are_alike and not is_form and not are_pieces and all(map(_is_of_letters, (*own, *other)))


def _is_of_letters(key: str) -> bool:
    """Whether a word may be one of a name: numbers are another matter."""
    return 2 * sum(map(str.isalpha, key)) > len(key)


def _as_in_address(key: str) -> str:
    """The letters of a name as addresses have them: some write umlauts with an "e", and a genitive or plural is as good
    as its word."""
    return _UMLAUT.sub("", key.translate(_BARE)).rstrip("s")


def _key(text: str) -> str:
    return _MARKS.sub("", folded(text))
