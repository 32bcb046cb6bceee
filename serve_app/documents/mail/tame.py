"""Cuts a mail to what a parser can bear, by its bytes alone."""

import re

from serve_app.documents.mail.limits import HEADER_BYTES, MOST_PARTS

_DECLARED = re.compile(rb"\bboundary[ \t]*=[ \t\r\n]*(?:\"([^\"\r\n]{1,200})\"|([^\s;\"]{1,200}))", re.IGNORECASE)
_NESTED = re.compile(rb"^content-type[ \t]*:[ \t\r\n]*message/", re.IGNORECASE | re.MULTILINE)
_DASHED = re.compile(rb"^--([^\r\n]{1,210})\r?\n", re.MULTILINE)
_END_OF_HEADERS = re.compile(rb"\r?\n[ \t]*\r?\n")


class TooManyParts(Exception):
    """The mail has more parts, or more levels of them, than are looked at."""


def tamed(raw: bytes) -> bytes:
    """The mail with the headers of every part cut off at HEADER_BYTES. Raises TooManyParts: its parser works from part
    to part by recursion."""
    boundaries = {(quoted or plain).strip() for quoted, plain in _DECLARED.findall(raw)}
    if len(boundaries) > MOST_PARTS or _count_up_to(_NESTED, raw, MOST_PARTS) > MOST_PARTS:
        raise TooManyParts
    starts = [0]
    for line in _DASHED.finditer(raw):
        if line[1].rstrip() in boundaries:
            starts.append(line.end())
            if len(starts) > MOST_PARTS:
                raise TooManyParts
    return _with_short_headers(raw, starts)


def _count_up_to(pattern: re.Pattern[bytes], raw: bytes, most: int) -> int:
    count = 0
    for count, _ in enumerate(pattern.finditer(raw), 1):
        if count > most:
            break
    return count


def _with_short_headers(raw: bytes, starts: list[int]) -> bytes:
    kept, at = [], 0
    for start in starts:
        end = _END_OF_HEADERS.search(raw, start)
        end_at = len(raw) if end is None else end.start()
        if end_at - start > HEADER_BYTES and start >= at:
            cut = raw.rfind(b"\n", start, start + HEADER_BYTES)
            kept.append(raw[at : cut if cut > start else start + HEADER_BYTES])
            at = end_at
    return b"".join([*kept, raw[at:]]) if kept else raw
