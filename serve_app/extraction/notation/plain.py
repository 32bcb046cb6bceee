"""Text without case and accents, so that it does not matter if a reader or printer drops them."""

import unicodedata
from functools import cache, lru_cache

# Letters that have no accent to remove.
_BARE = str.maketrans("ıİłŁøØđĐ", "iilloodd")
# Letters that keyboards of Arabic, Persian and Urdu have in several forms; what only stretches or separates them.
_ARABIC = str.maketrans("یىکةہەھ", "ييكهههه", "\u0640\u200c")
# Text layers print the ligature of lam and alef in either order.
_LAM_ALEF, _ALEF_LAM = "\u0644\u0627", "\u0627\u0644"
# Vowels of the scripts of India and its neighbours, which are no letters, but parts of words.
_MARKS = "".join(chr(code) for code in range(0x0900, 0x1800) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
WORD = rf"(?:[^\W\d_]+|[{_MARKS}]+)+"
"""A pattern of a word of letters."""


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """The text in lower case, letters without their accents."""
    # "№" is only "No" once it is decomposed.
    decomposed = unicodedata.normalize("NFKD", text.translate(_BARE)).casefold()
    bare = "".join(character for character in decomposed if not unicodedata.combining(character))
    return bare if bare.isascii() else bare.translate(_ARABIC).replace(_LAM_ALEF, _ALEF_LAM)


def same_length_plain(text: str) -> str:
    """The same, but as long as the text: every place in the one is that place in the other."""
    return "".join(map(_plain_character, text))


@cache
def _plain_character(character: str) -> str:
    return (plain(character) or " ")[0]
