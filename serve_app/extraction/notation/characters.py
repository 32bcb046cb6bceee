"""Characters of numbers in plain form: the digits of all scripts, full-width forms, and Arabic separators."""

import unicodedata
from functools import lru_cache

# Full-width forms that touch numbers, Arabic separators, and letters that stand for none of them.
_PLAIN = str.maketrans(
    {"￥": "¥", "，": ",", "．": ".", "－": "-", "＋": "+", "％": "%", "（": "(", "）": ")", "٪": "%"}
)
_DECIMAL, _GROUP = "\u066b", "\u066c"
# Marks that tell the direction of writing, and blanks without width.
_INVISIBLE = dict.fromkeys(
    map(ord, "\u200b\u200c\u200d\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")
)


@lru_cache(maxsize=20_000)
def in_plain_characters(text: str) -> str:
    """The text, whose digits are those of ASCII. Text of ASCII is returned as it is, and so is text without digits of
    another form."""
    if text.isascii():
        return text
    visible = text.translate(_INVISIBLE) or text
    if not any(character.isdecimal() for character in visible):
        return visible
    plain = "".join(map(_digit, visible.translate(_PLAIN)))
    return _with_plain_separators(plain)


def _digit(character: str) -> str:
    """The digit of ASCII for one of any script; raised digits are none."""
    if character.isascii() or not character.isdecimal():
        return character
    return str(unicodedata.decimal(character))


def _with_plain_separators(text: str) -> str:
    """The text with a point before its decimals, and commas between thousands, where Arabic separators say which is
    which."""
    if _DECIMAL not in text and _GROUP not in text:
        return text
    return text.replace(_GROUP, ",").replace(_DECIMAL, ".")
