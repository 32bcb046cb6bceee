"""Put what a network misread of a foreign script back into that script.

PP-OCR knows Greek letters, but takes those that look like Latin ones for these, and the sign of the lira for hiragana.
"""

import re
from collections.abc import Sequence

_GREEK = str.maketrans(
    "ABEZHIKMNOPTYXÁÉÍÓÚÏÜaeiknoptuvwxyáéíóúïü",
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧΆΈΊΌΎΪΫαεικηορτυνωχγάέίόύϊϋ",
)
# Capitals that no Latin letter looks like, but for the sign of the ohm; or two small ones, as one may be a unit ("µm").
_IS_GREEK = re.compile("[ΓΔΘΛΞΠΣΦΨ]|[ά-ώ].*[ά-ώ]")
_LATIN = re.compile("[A-Za-zÀ-ɏ]")
# "A.E.", a legal form, between Greek words.
_ABBREVIATION = re.compile(r"(?:[A-Z]\.){2,}")
_CYRILLIC = str.maketrans("ABCEHKMOPTXYaceopxyr", "АВСЕНКМОРТХУасеорхуг")
# Fewer letters may be read surely in a wrong alphabet.
_FEWEST = 3
_LIRA = re.compile(r"も(?=\d|$)")
_EASTERN = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


def in_one_script(words: Sequence[str]) -> list[str]:
    """The words of a line: those that mix Greek and Latin letters in Greek, and a hiragana before a number as the sign
    of the lira where nothing else is Japanese."""
    are_greek = [_IS_GREEK.search(word) is not None for word in words]
    are_letters = [any(map(str.isalpha, word)) for word in words]
    if any(are_greek):
        is_line = 2 * sum(are_greek) >= sum(are_letters)
        return [
            _greek(word) if is_greek or (is_line and _ABBREVIATION.fullmatch(word)) else word
            for word, is_greek in zip(words, are_greek, strict=True)
        ]
    if _EASTERN.search("".join(words).replace("も", "")):
        return list(words)
    return [_LIRA.sub("₺", word) for word in words]


def in_cyrillic(word: str) -> str:
    """A word of a Cyrillic page that was read in Latin letters in Cyrillic ones, if each looks like one: "rpH" is
    "грн", a hryvnia."""
    letters = word.translate(_CYRILLIC)
    if _LATIN.search(letters):
        return word
    return letters.lower() if letters[:1].islower() else letters


def is_latin(word: str) -> bool:
    """Whether a word is of some Latin letters, not all of which look like Cyrillic or Greek ones."""
    letters = "".join(filter(str.isalpha, word))
    is_one = len(letters) >= _FEWEST and all(map(_LATIN.match, letters))
    return is_one and all(_LATIN.search(letters.translate(others)) for others in (_CYRILLIC, _GREEK))


def _greek(word: str) -> str:
    """The word in Greek letters, if each of its letters is one or looks like one."""
    repaired = word.translate(_GREEK)
    return word if _LATIN.search(repaired) else repaired
