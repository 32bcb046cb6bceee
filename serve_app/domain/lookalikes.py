"""Names and domains that are made to be taken for others: by letters that look the same, or by one that is changed."""

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

from serve_app.domain.duplicates import vendor_words
from serve_app.domain.folding import folded

# A name of at least so many letters may differ in so many: in shorter ones other names do.
_CHANGES = ((12, 2), (6, 1))
# Cyrillic and Greek letters that look like these Latin ones, and digits; "i" and "l" look the same in capitals.
_FOREIGN = (
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456\u0458\u0501"
    "\u0261\u03bf\u03b1\u03bd\u03b9\u03ba\u03c5\u03c4\u03c1\u03c7"
)
_LETTERS = str.maketrans(f"{_FOREIGN}0158|i", "abekmhopctyxsijdgoavikutpxolsbll")
_GROUPS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_DIGITS = re.compile(r"\d+")


def looks_like(name: str, other: str) -> bool:
    """Whether one of two vendors' names could be taken for the other. Names that differ in digits alone are those of
    branches, and spellings of one name are the same one."""
    one, two = vendor_words(name), vendor_words(other)
    if not one or not two or one.replace(" ", "") == two.replace(" ", "") or _differ_in_digits(one, two):
        return False
    return sorted(one.split()) == sorted(two.split()) or _are_close(_skeleton(one), _skeleton(two))


def domain_looks_like(domain: str, other: str) -> bool:
    """The same of domains, by what comes before the ending: firms of one name have several endings."""
    one, two = _label(domain), _label(other)
    return one != two and _are_close(_skeleton(one), _skeleton(two))


def _differ_in_digits(one: str, two: str) -> bool:
    bare = _DIGITS.sub("#", one)
    return "#" in bare and bare == _DIGITS.sub("#", two)


def _are_close(one: str, two: str) -> bool:
    shorter = min(len(one), len(two))
    allowed = next((changes for length, changes in _CHANGES if shorter >= length), 0)
    return OSA.distance(one, two, score_cutoff=allowed) <= allowed


@lru_cache(maxsize=20_000)
def _skeleton(text: str) -> str:
    """What the text looks like."""
    found = re.sub(r"[\W_]", "", folded(text)).translate(_LETTERS)
    for group, letter in _GROUPS:
        found = found.replace(group, letter)
    return found


def _label(domain: str) -> str:
    """The part before the ending: of `mail.acme.co.uk` this is `acme`."""
    parts = domain.split(".")
    long = [part for part in parts[:-1] if len(part) > 3]
    return long[-1] if long else parts[0]
