"""The captions printed on a line."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from serve_app.domain.document import Word
from serve_app.extraction.captions.asides import asides
from serve_app.extraction.captions.compound import joined, with_datelines
from serve_app.extraction.captions.direction import in_reading_order
from serve_app.extraction.captions.found import FoundCaption, stand_together
from serve_app.extraction.captions.lexicon import longest, meanings, tokens
from serve_app.extraction.knowledge import Caption

# A title and its "No." may have this many words between them.
BETWEEN = 4
# Fewer letters are no word.
_A_WORD = 3
# What "No." means after a caption.
_PLAIN = {
    Caption.TITLE: Caption.INVOICE_NUMBER,
    Caption.INVOICE_NUMBER: Caption.INVOICE_NUMBER,
    Caption.RECEIPT_NUMBER: Caption.RECEIPT_NUMBER,
    Caption.OTHER_NUMBER: Caption.OTHER_NUMBER,
}


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    position: int


def find_captions(line: Sequence[Word]) -> list[FoundCaption]:
    """The captions of a line of words, in reading order; of overlapping ones, the longest."""
    every = [token for position, word in enumerate(line) for token in _tokens_of(word, position)]
    openings = {aside.start for aside in asides(line)}
    found: list[FoundCaption] = []
    start = 0
    while start < len(every):
        length = _length_at(line, every, start, openings)
        if length:
            phrase = tuple(word.text for word in every[start : start + length])
            found.append(FoundCaption(meanings(phrase), every[start].position, every[start + length - 1].position))
        start += length or 1
    found = with_datelines(line, joined(line, found))
    return [_made_plain(line, caption, before) for caption, before in zip(found, [None, *found], strict=False)]


def _tokens_of(word: Word, position: int) -> Iterator[_Token]:
    """The tokens of a word but the letters inside its number: the last of "4711/M/N" is no "N°"."""
    in_number = False
    for text in tokens(word.text):
        if not (in_number and len(text) < _A_WORD and text.isalpha()):
            yield _Token(text, position)
        in_number |= text.isdigit()


def are_captions(words: Sequence[Word]) -> bool:
    """Whether at least half of the words are captions."""
    read = [words[position] for position in in_reading_order(words)]
    return 2 * sum(found.last - found.first + 1 for found in find_captions(read)) >= len(words)


def _made_plain(line: Sequence[Word], one: FoundCaption, before: FoundCaption | None) -> FoundCaption:
    """What a vague "No." means after another caption: "Rechnung (380) Nr. 17" is an invoice's number."""
    plain_meanings = [_PLAIN[meaning] for meaning in before.meanings if meaning in _PLAIN] if before else []
    if Caption.NUMBER not in one.meanings or before is None or not plain_meanings:
        return one
    between = [word.text for word in line[before.last + 1 : one.first]]
    is_near = len(between) <= BETWEEN and stand_together(line, before.last, one.first)
    is_one = is_near and all(text.startswith("(") or text.isalpha() for text in between)
    return replace(one, meanings=tuple(plain_meanings)) if is_one else one


def _length_at(line: Sequence[Word], every: Sequence[_Token], start: int, openings: Set[int]) -> int:
    """The number of tokens of the longest phrase that begins at `start` and goes into no aside; 0 if none does."""
    for length in range(min(longest(), len(every) - start), 0, -1):
        part = every[start : start + length]
        if meanings(tuple(word.text for word in part)) and _is_one(line, part, openings):
            return length
    return 0


def _is_one(line: Sequence[Word], part: Sequence[_Token], openings: Set[int]) -> bool:
    first, last = part[0].position, part[-1].position
    return stand_together(line, first, last) and openings.isdisjoint(range(first + 1, last + 1))
