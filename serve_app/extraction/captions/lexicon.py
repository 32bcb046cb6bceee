"""The captions of invoices, and what they announce."""

import re
from collections import defaultdict
from functools import cache, lru_cache

from serve_app.extraction.knowledge import Caption, languages, words_of
from serve_app.extraction.plain import plain

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[#%]")
# "TotalRM21.85": a caption without a space behind it.
_GLUED = re.compile(r"(?<=[a-z])(?=[A-Z]{2,3}\d)")
# A phrase of at least this many letters is recognized even if an OCR engine ran its words together.
_LONG_ENOUGH = 6

Tokens = tuple[str, ...]


# Cells and names of a page are asked about again and again.
@lru_cache(maxsize=20_000)
def tokens(text: str) -> Tokens:
    """Words and numbers of a text, without case and accents; punctuation separates."""
    return tuple(_TOKEN.findall(plain(_GLUED.sub(" ", text.replace("º", "").replace("°", "")))))


Meanings = tuple[Caption, ...]


@cache
def phrases() -> dict[Tokens, Meanings]:
    """Every phrase of all languages, those of several words also run together, with all that it may announce: "VAT"
    precedes a tax and also a tax number."""
    found: dict[Tokens, set[Caption]] = defaultdict(set)
    for language in languages().values():
        for caption, listed in language.captions.items():
            for phrase in listed:
                whole = tokens(phrase)
                found[whole].add(caption)
                if len(whole) > 1 and len("".join(whole)) >= _LONG_ENOUGH:
                    found[("".join(whole),)].add(caption)
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
