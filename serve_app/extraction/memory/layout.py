"""Keys of a layout, by which documents from the same template are found again where no name or number tells the vendor.

What a template prints on every document are pairs of neighbouring words. The sets of two documents are compared
without keeping them: by MinHash (Broder, On the resemblance and containment of documents, 1997), of which a few hashes
at a time make a key (Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, 3.4).
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from serve_app.domain.memory import LAYOUT, Keys

BANDS = 10
"""Keys of a layout."""
_ROWS = 3
_FEWEST = 12
"""Of fewer pairs, chance decides."""


def _constants(name: str) -> np.ndarray:
    digests = (blake2b(f"{name} {row}".encode(), digest_size=8).digest() for row in range(BANDS * _ROWS))
    return np.array([int.from_bytes(digest) | 1 for digest in digests], dtype=np.uint64)


_FACTORS, _SUMMANDS = _constants("factor"), _constants("summand")


def keys_of_layout(lines: Iterable[Sequence[str]]) -> Keys:
    """The keys of a page with these lines of words; none if it has too few words. Of their ten keys, two pages have
    five in common if eight in ten of all their pairs of words are on both, and none if it is two in ten."""
    pairs = {pair for line in lines for pair in pairwise(_steady(line))}
    if len(pairs) < _FEWEST:
        return ()
    digests = b"".join(blake2b(" ".join(pair).encode(), digest_size=8).digest() for pair in pairs)
    # Of the sum, which overflows on purpose, the upper half is random (multiply-shift hashing).
    hashes = np.frombuffer(digests, dtype=np.uint64) * _FACTORS[:, None] + _SUMMANDS[:, None]
    least = (hashes >> np.uint64(32)).min(axis=1).reshape(BANDS, _ROWS)
    bands = (blake2b(band.tobytes(), digest_size=6).hexdigest() for band in least)
    return tuple(f"{LAYOUT}{number}.{band}" for number, band in enumerate(bands))


def _steady(line: Sequence[str]) -> list[str]:
    """The words of a line that may be the template's: not numbers, which differ on every document."""
    bare = ("".join(filter(str.isalnum, word)).casefold() for word in line)
    return [word for word in bare if len(word) > 1 and not any(map(str.isdigit, word))]
