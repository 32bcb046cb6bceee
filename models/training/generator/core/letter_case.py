"""What a printer or a reader makes of letters: capitals only, no accents."""

import unicodedata
from collections.abc import Callable
from random import Random

_SPELLED = str.maketrans({"ß": "ss", "ł": "l", "Ł": "L", "ı": "i", "ø": "o", "Ø": "O", "æ": "ae"})


def without_accents(text: str) -> str:
    """`text` in the letters of old printers: `Müller & Söhne` becomes `Muller & Sohne`."""
    if text.isascii():
        return text
    return "".join(
        char for char in unicodedata.normalize("NFD", text.translate(_SPELLED)) if not unicodedata.combining(char)
    )


def draw_dress(rng: Random, *, till: bool) -> Callable[[str], str] | None:
    """What happens to all letters of a document, mostly nothing; tills often print capitals."""
    upper = rng.random() < (0.3 if till else 0.02)
    plain = rng.random() < (0.12 if till else 0.015)
    if upper:
        return (lambda text: without_accents(text).upper()) if plain else str.upper
    return without_accents if plain else None
