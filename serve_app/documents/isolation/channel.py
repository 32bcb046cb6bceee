"""Messages over a socket pair: four bytes of length, big-endian, then the message."""

import socket
import time

_HEADER_BYTES = 4
_CHUNK_BYTES = 1024 * 1024


class TooLong(Exception):
    """The other side announced a message over the limit."""


class Channel:
    """One end. Each call raises TimeoutError at the deadline (`time.monotonic`) and ConnectionError if the other end is
    gone."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def send(self, message: bytes, deadline: float | None = None) -> None:
        self._end.settimeout(_remaining(deadline))
        self._end.sendall(len(message).to_bytes(_HEADER_BYTES, "big") + message)

    def receive(self, max_bytes: int, deadline: float | None = None) -> bytearray:
        """The next message; raise TooLong, before reading any of it, if it is over `max_bytes`."""
        size = int.from_bytes(self._read(_HEADER_BYTES, deadline), "big")
        if size > max_bytes:
            raise TooLong(f"{size} bytes")
        return self._read(size, deadline)

    def close(self) -> None:
        self._end.close()

    def _read(self, size: int, deadline: float | None) -> bytearray:
        # Grows with what arrives: announcing a size allocates nothing.
        data = bytearray()
        while len(data) < size:
            self._end.settimeout(_remaining(deadline))
            chunk = self._end.recv(min(size - len(data), _CHUNK_BYTES))
            if not chunk:
                raise ConnectionError("the other end is closed")
            data += chunk
        return data


def _remaining(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds
