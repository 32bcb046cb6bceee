"""What must be known of a mail before it is accepted, from its bytes and without a parser."""

import hashlib
import re
from dataclasses import dataclass

MAX_HOPS = 30
"""Servers that a mail may have passed through: more mean that it goes round in circles."""
LOOP_HEADER = "X-Loop"
HEAD_BYTES = 256 * 1024
"""Headers beyond it count as part of what follows them: patterns are slow on megabytes."""

_END = re.compile(rb"\r?\n\r?\n")
_HOP = re.compile(rb"^received:", re.IGNORECASE | re.MULTILINE)
_OWN = re.compile(rb"^x-loop:[ \t]*([^\r\n]{1,320})", re.IGNORECASE | re.MULTILINE)
# With the lines that continue it.
_IDENTITY = re.compile(rb"^(?:message-id|from|date):[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Opening:
    """`fingerprint` is the same for a mail that is sent again, whichever servers it comes through: the SHA-256 of its
    Message-ID, From and Date and of everything that follows its headers. `loops` are the values of its X-Loop
    headers, in lower case."""

    fingerprint: str
    hops: int
    loops: frozenset[str]


def opening_of(raw: bytes) -> Opening:
    """Blocks for about a second per gigabyte, and some milliseconds for the headers."""
    end = _END.search(raw, 0, HEAD_BYTES)
    # What has no blank line may have no headers at all.
    start, rest = (HEAD_BYTES, 0) if end is None else end.span()
    head, body = raw[:start], memoryview(raw)[rest:]
    digest = hashlib.sha256()
    for line in sorted(_IDENTITY.findall(head)):
        digest.update(b" ".join(line.split()) + b"\n")
    digest.update(b"\n")
    digest.update(body)
    loops = frozenset(found.strip().lower().decode("ascii", "replace") for found in _OWN.findall(head))
    return Opening(digest.hexdigest(), len(_HOP.findall(head)), loops)
