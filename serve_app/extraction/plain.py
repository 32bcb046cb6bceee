"""Text without case and accents, so that it does not matter if a reader or printer drops them."""

import unicodedata
from functools import lru_cache

# Letters that have no accent to remove.
_BARE = str.maketrans("ıİłŁøØđĐ", "iilloodd")


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """The text in lower case, letters without their accents."""
    # "№" is only "No" once it is decomposed.
    decomposed = unicodedata.normalize("NFKD", text.translate(_BARE)).casefold()
    return "".join(character for character in decomposed if not unicodedata.combining(character))
