"""The bytes of a part, out of the form in which mail transports them."""

import binascii
import re
import string
from collections.abc import Iterator
from email.message import Message
from email.policy import compat32

from serve_app.documents.sniff import HTML, is_container, sniff

_WORD = re.compile(r"[a-z0-9]+(?:[-_ ][a-z0-9]+)*")
_NO_LETTERS = re.compile(r"[^a-z0-9]")
# As programs have written them; letters and digits alone count.
_MISSPELT = {
    "b64": "base64", "xbase64": "base64", "mimebase64": "base64", "quotedprintable": "quoted-printable",
    "qp": "quoted-printable", "quotedprintible": "quoted-printable", "quotedprint": "quoted-printable",
    "xuuencode": "x-uuencode", "uuencode": "uuencode", "xuue": "x-uue", "uue": "uue",
}  # fmt: skip
_PLAIN = {"7bit", "8bit", "binary"}
_BASE64 = re.compile(rb"[A-Za-z0-9+/\s]*+=*\s*+")
_OTHERS = bytes(set(range(256)) - set((string.ascii_letters + string.digits + "+/").encode()))
_PADDING = re.compile(rb"=+\s*")
_UNFOLDED = compat32.clone(max_line_length=0)
_BEGIN = re.compile(rb"^begin [0-7]{3,4} +(\S[^\r\n]{0,200})\r?\n", re.MULTILINE)
_END = re.compile(rb"^end[ \t\r]*$", re.MULTILINE)
_LEAST_BASE64 = 100


def encoding_of(message: Message) -> str:
    """How the part is written, as its header says; programs write it in capitals, with comments, misspelt, and not at
    all."""
    found = _WORD.search(str(message.get("Content-Transfer-Encoding", "")).lower())
    plain = _NO_LETTERS.sub("", found[0]) if found else ""
    return _MISSPELT.get(plain, plain)


def content_of(message: Message) -> bytes:
    """What the part contains. What is damaged is decoded as far as it goes."""
    written = _bytes_of(message.get_payload())
    encoding = encoding_of(message)
    if encoding == "base64":
        return from_base64(written)
    if encoding == "quoted-printable":
        return binascii.a2b_qp(written)
    decoded = _decoded(message, written) if encoding and encoding not in _PLAIN else written
    return _said_nothing(written) if decoded == written else decoded


def _bytes_of(payload: object) -> bytes:
    if isinstance(payload, list):
        # The parser takes apart all kinds of messages, such as reports about delivery.
        return b"\n".join(part.as_bytes(policy=_UNFOLDED) for part in payload if isinstance(part, Message)).lstrip()
    text = payload if isinstance(payload, str) else ""
    try:
        return text.encode("ascii", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _decoded(message: Message, written: bytes) -> bytes:
    """The old encodings that only the standard library knows."""
    try:
        payload = message.get_payload(decode=True)
    except Exception:
        return written
    return payload if isinstance(payload, bytes) else written


def _said_nothing(written: bytes) -> bytes:
    """Some programs forget to say that a file is in base64."""
    if len(written) < _LEAST_BASE64 or not _BASE64.fullmatch(written):
        return written
    decoded = from_base64(written)
    return decoded if sniff(decoded) not in {None, HTML} or is_container(decoded) else written


def from_base64(written: bytes) -> bytes:
    """Also of several pieces, each with its own padding: some programs encode a file piece by piece."""
    pieces: list[bytes] = []
    for piece in _PADDING.split(written):
        if pieces and not _BASE64.fullmatch(piece):
            # What lists append to a mail.
            break
        letters = piece.translate(None, _OTHERS)
        # A single letter left over is no byte.
        letters = letters[: len(letters) - (len(letters) % 4 == 1)]
        pieces.append(binascii.a2b_base64(letters + b"=" * (-len(letters) % 4)))
    return b"".join(pieces)


def uuencoded(text: bytes) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of the files that stand in a text, as the first mail programs wrote them."""
    at = 0
    while (begin := _BEGIN.search(text, at)) and (end := _END.search(text, begin.end())):
        data = _from_uu(text[begin.end() : end.start()])
        if data:
            yield begin[1].decode("utf-8", "replace").strip(), data
        at = end.end()


def _from_uu(block: bytes) -> bytes:
    lines = []
    for line in block.splitlines():
        if not line.strip():
            continue
        try:
            lines.append(binascii.a2b_uu(line))
        except binascii.Error:
            # Some programs count the bytes of a line wrongly.
            count = ((line[0] - 32 & 63) * 4 + 5) // 3
            try:
                lines.append(binascii.a2b_uu(line[: count + 1]))
            except binascii.Error:
                break
    return b"".join(lines)
