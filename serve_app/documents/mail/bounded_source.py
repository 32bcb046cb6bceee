"""Cuts a mail to what a parser can bear, by its bytes alone."""

import re

from serve_app.documents.mail.limits import FIELD_BYTES, HEADER_BYTES, MOST_PARTS

_DECLARED = re.compile(rb"\bboundary[ \t]*=[ \t\r\n]*(?:\"([^\"\r\n]{1,200})\"|([^\s;\"]{1,200}))", re.IGNORECASE)
_NESTED = re.compile(rb"^content-type[ \t]*:[ \t\r\n]*message/", re.IGNORECASE | re.MULTILINE)
_DASHED = re.compile(rb"^--([^\r\n]{1,210})\r?\n", re.MULTILINE)
# Possessive (*+), so that headers of many lines need no memory for backtracking.
_HEADERS = re.compile(rb"(?:From [^\n]*\n)?(?:(?:[!-9;-~]*:|[ \t])[^\n]*(?:\n|\Z))*+")
_FIELD = re.compile(rb"[^\n]+(?:\n(?:[ \t][^\n]*)?)*+")
# By these it is known what a part is, who sent the mail, and whether it may be answered.
_NEEDED = re.compile(
    rb"(?:content-|mime-version|from|sender|subject|date|message-id|auto-submitted|precedence|list-|x-loop|"
    rb"x-auto-response-suppress|feedback-id)",
    re.IGNORECASE,
)


def bounded(raw: bytes) -> tuple[bytes, bool]:
    """The mail with at most MOST_PARTS parts, and whether there were more; and without what is too long in the headers
    of each. Its parser works from part to part by recursion."""
    if b"\n" not in raw:
        # Some programs still end lines as the first Macs did.
        raw = raw.replace(b"\r", b"\n")
    boundaries = {(quoted or plain).strip() for quoted, plain in _DECLARED.findall(raw)}
    lines = [line for line in _DASHED.finditer(raw) if line[1].rstrip() in boundaries]
    mails = [found.start() for found in _NESTED.finditer(raw)]
    ends = [*(line.start() for line in lines[MOST_PARTS:][:1]), *mails[MOST_PARTS:][:1], len(raw)]
    starts = [0, *(line.end() for line in lines if line.end() <= min(ends))]
    return _with_short_headers(raw[: min(ends)], starts), len(ends) > 1


def _with_short_headers(raw: bytes, starts: list[int]) -> bytes:
    kept, at = [], 0
    for start in starts:
        found = _HEADERS.match(raw, start)
        end = found.end() if found else start
        if end - start > HEADER_BYTES and start >= at:
            kept += [raw[at:start], _short(raw[start:end])]
            at = end
    return b"".join([*kept, raw[at:]]) if kept else raw


def _short(headers: bytes) -> bytes:
    """Long fields are cut, and those that matter come first: what is beyond HEADER_BYTES is left out."""
    fields = [field[:FIELD_BYTES].rstrip() + b"\r\n" for field in _FIELD.findall(headers)]
    kept, left = [], HEADER_BYTES
    for field in sorted(fields, key=lambda field: _NEEDED.match(field) is None):
        if len(field) <= left:
            kept.append(field)
            left -= len(field)
    return b"".join(kept)
