"""Regular expressions of the words in the files: "Magyar*" begins a word, "*johor*" stands anywhere in one, "#" is a
digit. Words without a capital may be printed in any case, others only as they are written."""

import re
from collections.abc import Iterable


def pattern_of(words: Iterable[str]) -> str:
    """A pattern of any of the words, the longest first."""
    return "|".join(map(_pattern, sorted(words, key=lambda word: (-len(word), word))))


def parts_of(words: Iterable[str]) -> frozenset[str]:
    """What a text in small letters contains at least, if one of the words stands in it."""
    return frozenset(in_small_letters(word.strip("*").partition("#")[0]) for word in words)


def in_small_letters(text: str) -> str:
    """A text in small letters; a small I has one dot, from whichever capital it comes."""
    return text.lower().replace("i\u0307", "i")


def _pattern(word: str) -> str:
    bare = word.strip("*")
    begins = r"\b" if word[0] != "*" and re.match(r"\w", bare) else ""
    ends = r"\b" if word[-1] != "*" and re.search(r"\w$", bare) else ""
    pattern = begins + re.escape(bare).replace(r"\#", r"\d") + ends
    return pattern if bare != bare.lower() else f"(?i:{pattern})"
