"""Persons, told by their given names: "Dr. Petra Schmidt"."""

from functools import cache
from pathlib import Path

from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.notation.plain import plain

FILE = Path(__file__).with_name("given_names.txt")
"""One name a line, plain; made by `python -m models.training.given_names` from Faker's lists (MIT)."""

# A person's name has at most so many words, titles aside.
_MOST_WORDS = 4
_TITLE = WordPattern(r"{parties.titles|parties.degrees|parties.short_titles}\.?(?:-\w+\.?)?")


def looks_like_person(name: str) -> bool:
    """Whether a name of two to four words begins with a given name, or has one behind a comma."""
    words = [word for word in name.replace(",", " ").split() if not _TITLE.fullmatch(word)]
    is_plain = all(word.replace("-", "").replace("'", "").replace("\u2019", "").rstrip(".").isalpha() for word in words)
    if not (is_plain and 2 <= len(words) <= _MOST_WORDS):
        return False
    return _is_given(words[0]) or ("," in name and _is_given(words[1]))


def _is_given(word: str) -> bool:
    given = plain(word)
    return given in _given_names() or given.partition("-")[0] in _given_names()


@cache
def _given_names() -> frozenset[str]:
    return frozenset(FILE.read_text(encoding="utf-8").split())
