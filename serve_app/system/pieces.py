"""Large data in pieces, so that a thread that works on it does not stop all others.

A call into C keeps the interpreter for as long as it takes: decoding 20 MB at once stops the event loop for 50 ms, and
for a multiple of that if the machine is busy.
"""

import time
from collections.abc import Iterator

PIECE_BYTES = 2**20
"""What the slowest decoder here takes two or three milliseconds for."""
# Long enough that a waiting thread really gets the interpreter.
_PAUSE_SECONDS = 0.0002


def pieces_of(data: bytes, size: int = PIECE_BYTES) -> Iterator[bytes]:
    """The data in pieces of `size` bytes; other threads run between two of them."""
    for start in range(0, len(data), size):
        if start:
            time.sleep(_PAUSE_SECONDS)
        yield data[start : start + size]
