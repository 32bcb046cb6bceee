"""Inflating gzip from an untrusted server, in steps of bounded time and size."""

import zlib

from serve_app.net.outcome import TooLarge, Unreachable

STEP_BYTES = 64 * 1024
"""The most that one step takes in."""
MOST_MEMBERS = 1_000
"""gzip data are members, one after the other. Tools that write many (bgzip, pigz) put 64 kB and more into each."""
# For `zlib`: with the header of gzip.
_GZIP_WINDOW = 31


class Inflater:
    """Takes gzip data piece by piece, and keeps at most `max_bytes` of what they contain.

    Time is linear in the bytes fed and kept: no byte is copied more than once for each member that ends in its piece,
    and the number of members is limited.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._data = bytearray()
        self._fed = 0
        self._members = 0
        self._member: zlib._Decompress | None = None

    def feed(self, piece: bytes) -> None:
        """Take the next bytes. Raises TooLarge, and Unreachable if they are not gzip or have too many members."""
        self._fed += len(piece)
        if self._fed > self._max_bytes:
            raise TooLarge
        while piece:
            self._member = self._member or self._begin()
            self._data += self._inflate(self._member, piece)
            if len(self._data) > self._max_bytes:
                raise TooLarge
            piece = self._member.unused_data
            if self._member.eof:
                self._member = None

    def finish(self) -> bytes:
        """All that the data contain. Raises Unreachable if they break off."""
        if self._member is not None:
            raise Unreachable("the server's response is incomplete")
        return bytes(self._data)

    def _begin(self) -> "zlib._Decompress":
        self._members += 1
        if self._members > MOST_MEMBERS:
            raise Unreachable("the server's response is gzip with too many parts")
        return zlib.decompressobj(_GZIP_WINDOW)

    def _inflate(self, member: "zlib._Decompress", piece: bytes) -> bytes:
        try:
            return member.decompress(piece, self._max_bytes + 1 - len(self._data))
        except zlib.error:
            raise Unreachable("the server's response is not valid gzip") from None
