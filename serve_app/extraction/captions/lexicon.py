"""The captions of invoices, and what they announce."""

import re
from collections import defaultdict
from functools import cache, lru_cache

from serve_app.extraction.knowledge import Caption, languages, words_of
from serve_app.extraction.notation.plain import WORD, plain

_TOKEN = re.compile(rf"{WORD}|\d+|[#%]")
# "TotalRM21.85": a caption without a space behind it.
_GLUED = re.compile(r"(?<=[a-z])(?=[A-Z]{2,3}\d)")
# Letters of scripts without blanks between words, and the edges of Latin words beside them: "เลขที่INV-17", "合計NT$".
_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_EDGE = re.compile(rf"(?<=[{_UNSPACED}])(?=[A-Za-z])|(?<=[A-Za-z])(?=[{_UNSPACED}])")
_HAN = re.compile(r"[\u3400-\u9fff]{2,4}")
# A phrase of at least this many letters is recognized even if an OCR engine ran its words together.
_LONG_ENOUGH = 6

Tokens = tuple[str, ...]


# Cells and names of a page are asked about again and again.
@lru_cache(maxsize=20_000)
def tokens(text: str) -> Tokens:
    """Words and numbers of a text, without case and accents; punctuation separates."""
    split = _GLUED.sub(" ", text.replace("º", "").replace("°", ""))
    return tuple(_TOKEN.findall(plain(split if split.isascii() else _EDGE.sub(" ", split))))


Meanings = tuple[Caption, ...]


@cache
def phrases() -> dict[Tokens, Meanings]:
    """Every phrase of all languages, those of several words also run together, short ones in Chinese characters also
    spread over a line, with all that it may announce: "VAT" precedes a tax and also a tax number."""
    found: dict[Tokens, set[Caption]] = defaultdict(set)
    for language in languages().values():
        for caption, listed in language.captions.items():
            for phrase in listed:
                whole = tokens(phrase)
                found[whole].add(caption)
                if len(whole) > 1 and len("".join(whole)) >= _LONG_ENOUGH:
                    found[("".join(whole),)].add(caption)
                if len(whole) == 1 and _HAN.fullmatch(whole[0]):
                    found[tuple(whole[0])].add(caption)
    return {phrase: tuple(caption for caption in Caption if caption in captions) for phrase, captions in found.items()}


def meanings(phrase: Tokens) -> Meanings:
    """What a phrase may announce; empty if unknown."""
    is_title = len(phrase) == 1 and phrase[0].endswith(_title_endings())
    return phrases().get(phrase, (Caption.TITLE,) if is_title else ())


@cache
def longest() -> int:
    """The number of words of the longest phrase."""
    return max(map(len, phrases()))


@cache
def _title_endings() -> tuple[str, ...]:
    return tuple(words_of(lambda language: language.title_endings))
