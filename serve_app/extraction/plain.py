"""Text without case and accents, so that it does not matter if a reader or printer drops them."""

import unicodedata
from functools import cache, lru_cache

# Letters that have no accent to remove.
_BARE = str.maketrans("ıİłŁøØđĐ", "iilloodd")


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """The text in lower case, letters without their accents."""
    # "№" is only "No" once it is decomposed.
    decomposed = unicodedata.normalize("NFKD", text.translate(_BARE)).casefold()
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def same_length_plain(text: str) -> str:
    """The same, but as long as the text: every place in the one is that place in the other."""
    return "".join(map(_plain_character, text))


@cache
def _plain_character(character: str) -> str:
    return (plain(character) or " ")[0]
