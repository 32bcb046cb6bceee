"""Makes texts comparable for a search: without case and accents, as Unicode defines both."""

import unicodedata

# Combining classes from here on are marks above, below or attached to a letter: accents. Lower ones are part of the
# text, such as the vowels of Thai and the voicing marks of Japanese.
_FIRST_ACCENT_CLASS = 200


def folded(text: str) -> str:
    """The text in a form that two texts share if only case, accents or the way they are encoded differ: `İstanbul` and
    `istanbul`, `Αθήνα` and `ΑΘΗΝΑ`, a composed and a decomposed `é`. Folding a folded text changes nothing."""
    # Case folding may make accents of its own: U+0130 becomes an i with a dot above.
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    bare = "".join(c for c in parts if unicodedata.combining(c) < _FIRST_ACCENT_CLASS)
    return unicodedata.normalize("NFC", bare)
