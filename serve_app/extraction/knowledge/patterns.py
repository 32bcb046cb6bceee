"""Regular expressions of the words in the files: "Magyar*" begins a word, "*johor*" stands anywhere in one, "#" is a
digit. Words without a capital may be printed in any case, others only as they are written."""

import re
import unicodedata
from collections.abc import Iterable
from typing import TypeAlias

_Tree: TypeAlias = "dict[str, _Tree]"
_SHORT = 2
_EDGE = r"\b"
_LOOSE_MARKS = {" ": r"\s?", ".": r"\.?", "-": r"[\s-]?", "'": "['’]", "#": r"\d{1,3}(?!\d|[.,]\d)"}


def pattern_of(words: Iterable[str]) -> str:
    """A pattern of any of the words, the longest first."""
    return "|".join(map(_pattern, sorted(words, key=lambda word: (-len(word), word))))


def loose_pattern_of(words: Iterable[str]) -> str:
    """The same, in small letters, as they may be read: without their accents and points, and run together; the longest
    wins. Here, "#" is a whole number: that of days in "Net 30", but not in "Net 30.00"."""
    return _pattern_of_parts(map(_loose_parts, sorted(words)))


def pattern_of_names(names: Iterable[str]) -> str:
    """A pattern of any of the names as they are, or of their beginnings; the longest wins."""
    return _pattern_of_parts(map(re.escape, name) for name in sorted(names))


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


def _loose_parts(word: str) -> list[str]:
    bare = word.strip("*")
    # A letter alone is another word without its accent: "à:", "a:".
    has_accents = len(bare) <= _SHORT
    parts = [re.escape(letter) if has_accents and letter.isalpha() else _loose_letter(letter) for letter in bare]
    begins = [] if word[0] == "*" or not re.match(r"\w", bare) else [_EDGE]
    return [*begins, *parts] if word[-1] == "*" or not re.search(r"\w$", bare) else [*begins, *parts, _EDGE]


def _loose_letter(letter: str) -> str:
    if letter in _LOOSE_MARKS:
        return _LOOSE_MARKS[letter]
    bare = unicodedata.normalize("NFD", letter)[0]
    return re.escape(letter) if bare == letter else f"[{letter}{bare}]"


def _pattern_of_parts(words: Iterable[Iterable[str]]) -> str:
    """A pattern of any of the words. Those that begin alike share their beginning: it is tried at every word of a
    page."""
    tree: _Tree = {}
    for word in words:
        node = tree
        for part in word:
            node = node.setdefault(part, {})
        node[""] = {}
    return _joined(tree)


def _joined(tree: _Tree) -> str:
    # The end of a word comes last: the longest wins.
    parts = sorted(filter(None, tree), key=_EDGE.__eq__)
    branches = [part + _joined(tree[part]) for part in parts]
    joined = branches[0] if len(branches) == 1 and "" not in tree else f"(?:{'|'.join(branches)})"
    return "" if not branches else f"{joined}?" if "" in tree else joined
