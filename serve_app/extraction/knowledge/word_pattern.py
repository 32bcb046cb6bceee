"""Regular expressions that name lists of words instead of the words."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from serve_app.extraction.knowledge.files import countries, languages
from serve_app.extraction.knowledge.patterns import loose_pattern_of

_LIST = re.compile(r"\{(\*?)([a-z_.|*]*?[a-z_])(\*?)\}")
_COUNTRIES, _LANGUAGES = "countries", "languages"


class WordPattern:
    """A regular expression in which "{parties.buyer}" is any word of that list, in whichever language, as it may be
    read; "{parties.seller|parties.payee}" any of two. "{countries.permits}" is what any country lists, and
    "{languages.series}" a list that is in no part of a language's file. A word may go on behind "{pages.word*}", and
    begin before "{*sums.net}".

    In any case, unless other `flags` are given. It is compiled at its first use, since the files take a moment to read.
    """

    def __init__(self, template: str, flags: re.RegexFlag = re.IGNORECASE) -> None:
        self.template = template
        self._flags = flags

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self._pattern.search(text, start, end)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self._pattern.match(text, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self._pattern.fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._pattern.finditer(text)

    def sub(self, other: str, text: str) -> str:
        return self._pattern.sub(other, text)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(_LIST.sub(_any_word, self.template), self._flags)


def _any_word(found: re.Match[str]) -> str:
    before, lists, after = found.groups()
    words = {f"{before}{word}{after}" for name in lists.split("|") for word in _listed(name)}
    if not words:
        raise ValueError(f"no file has words in {lists}")
    return f"(?:{loose_pattern_of(words)})"


def _listed(name: str) -> Iterator[str]:
    """The words of a list in all files, by the name of its part and its own."""
    part, use = name.split(".")
    for file in (countries() if part == _COUNTRIES else languages()).values():
        yield from _words(file if part in (_COUNTRIES, _LANGUAGES) else getattr(file, part), use)


def _words(part: object, use: str) -> Iterable[str]:
    words: Iterable[str] = part.get(use, ()) if isinstance(part, Mapping) else getattr(part, use)
    return words
