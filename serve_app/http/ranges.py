"""Parts of a download (RFC 9110, section 14). Several ranges in one request are answered with the whole, as a server
may."""

import re
from dataclasses import dataclass

from starlette.datastructures import Headers

from serve_app.http.errors import RangeNotSatisfiable

_ONE_RANGE = re.compile(r"bytes\s*=\s*(\d{0,19})\s*-\s*(\d{0,19})", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ByteRange:
    """The bytes from `first` to `last`, both included, of `size`."""

    first: int
    last: int
    size: int

    @property
    def content_range(self) -> str:
        """The value of `Content-Range`."""
        return f"bytes {self.first}-{self.last}/{self.size}"


def requested_range(headers: Headers, tag: str, size: int) -> ByteRange | None:
    """The one range that a GET asks for of a representation with this strong ETag and size, or None: send the whole.

    None also without a range, for several, for one that is malformed, and if `If-Range` names another version. Raises
    RangeNotSatisfiable if there is no such byte.
    """
    found = _ONE_RANGE.fullmatch(headers.get("range", "").strip())
    if found is None or headers.get("if-range", tag).strip() != tag:
        return None
    first, last = found.groups()
    if not first:
        return _suffix(int(last), size) if last else None
    if last and int(last) < int(first):
        return None
    if int(first) >= size:
        raise RangeNotSatisfiable(size)
    return ByteRange(int(first), min(int(last or size - 1), size - 1), size)


def _suffix(length: int, size: int) -> ByteRange:
    """The last `length` bytes."""
    if length == 0 or size == 0:
        raise RangeNotSatisfiable(size)
    return ByteRange(max(size - length, 0), size - 1, size)
