"""Reads headers as mails really have them: nothing is refused, and nothing takes long."""

import re
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32

from serve_app.documents.mail.bounded_source import bounded
from serve_app.documents.mail.limits import HEADER_BYTES, VALUE_CHARACTERS
from serve_app.domain.inbound_mail import ANSWER_MARK, Heading
from serve_app.domain.plain_text import one_line, shortened

_ADDRESS = re.compile(r"[^\s<>\"',;:()\[\]\\@]{1,64}@[^\s<>\"',;:()\[\]\\@]{1,190}")
_FOLD = re.compile(r"\r?\n[ \t]*|\r")
_NAME_LENGTH = 200
_WITH_NAMES = {"content-type", "content-disposition"}
_HIGH = re.compile(rb"[\x80-\xff]+")
_SAY_NOTHING = {"us-ascii", "ascii", "utf-8", "unknown-8bit", "iso-8859-1", "latin-1"}
_ROBOTS = re.compile(r"(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|bounces?)(?:[+.@-]|$)", re.IGNORECASE)
_BULK = {"bulk", "junk", "list", "auto_reply"}
_ANSWERED = re.compile(rf"\.{ANSWER_MARK}@")
_OF_LISTS = ("List-Id", "List-Unsubscribe", "X-Auto-Response-Suppress", "Feedback-ID", "X-Loop")


def value(message: Message, name: str) -> str:
    """The first header of this name on one line, decoded and cut to VALUE_CHARACTERS; empty if there is none."""
    # As they were sent: what the parser makes of values beyond ASCII is no use.
    found = next((str(given) for key, given in message.raw_items() if key.lower() == name.lower()), "")
    return one_line(_decoded(_FOLD.sub(" ", found)[:VALUE_CHARACTERS]))


def _decoded(raw: str) -> str:
    raw = characters(raw.encode("ascii", "surrogateescape")) if _is_bytes(raw) else raw
    if "=?" not in raw:
        return raw
    try:
        return "".join(_text(part, charset) for part, charset in decode_header(raw))
    except Exception:
        return raw


def characters(raw: bytes, charset: str | None = None) -> str:
    """Of bytes that say nothing of their encoding: UTF-8, else the given one, else Chinese if it fits, else western."""
    given = None if (charset or "").lower() in _SAY_NOTHING else charset
    for encoding in ("utf-8", given, "gb18030" if _is_chinese(raw) else None, "cp1252"):
        try:
            if encoding:
                return raw.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return raw.decode("latin-1")


def _is_chinese(raw: bytes) -> bool:
    """Whether all bytes beyond ASCII are pairs of GB 2312, two characters or more in a row, and mostly common ones:
    names in western alphabets have single bytes between letters."""
    runs: list[bytes] = _HIGH.findall(raw)
    if not runs or any(len(run) % 2 for run in runs) or max(map(len, runs)) < 4:
        return False
    firsts = [byte for run in runs for byte in run[::2]]
    return sum(0xB0 <= byte <= 0xD7 for byte in firsts) > len(firsts) / 2


def _is_bytes(raw: str) -> bool:
    """Whether the parser has put bytes beyond ASCII into the text, as lone surrogates."""
    return any("\udc80" <= character <= "\udcff" for character in raw) and all(
        ord(character) < 128 or "\udc80" <= character <= "\udcff" for character in raw
    )


def _text(part: bytes | str, charset: str | None) -> str:
    if isinstance(part, str):
        return part
    try:
        return part.decode(charset or "utf-8", "replace")
    except LookupError:
        return part.decode("utf-8", "replace")


def file_name(message: Message) -> str | None:
    """The name that the mail gives the part."""
    try:
        name = _with_characters(message).get_filename()
    except Exception:
        return None
    return shortened(one_line(_decoded(str(name)[:VALUE_CHARACTERS])), _NAME_LENGTH) or None if name else None


def _with_characters(message: Message) -> Message:
    """The headers in which names of files are, with the characters that were meant: the parser would replace those
    beyond ASCII."""
    read = Message()
    for name, found in message.raw_items():
        if name.lower() in _WITH_NAMES and name not in read:
            raw = str(found)
            plain = characters(raw.encode("ascii", "surrogateescape"), _charset_of(message)) if _is_bytes(raw) else raw
            read[name] = _FOLD.sub(" ", plain)
    return read


def _charset_of(message: Message) -> str | None:
    try:
        return message.get_content_charset()
    except Exception:
        return None


def address_in(text: str) -> str | None:
    """The first address in a header, in lower case."""
    # The part in angle brackets comes last; a name may contain an address, too.
    within = text.rpartition("<")[2] if "<" in text else text
    found = _ADDRESS.search(within) or _ADDRESS.search(text)
    return found[0].lower().rstrip(".") if found else None


def heading_in(head: bytes) -> Heading:
    """What the headers of a mail say, of which at most HEADER_BYTES are looked at."""
    return heading_of(BytesHeaderParser(policy=compat32).parsebytes(bounded(head[:HEADER_BYTES])[0]))


def heading_of(message: Message) -> Heading:
    """What the mail says about itself."""
    sender = value(message, "From") or value(message, "Sender")
    address = address_in(sender)
    name = sender.partition("<")[0].strip(" \"'") if "<" in sender else ""
    return Heading(
        sender=address,
        sender_name=shortened(name, _NAME_LENGTH),
        subject=shortened(value(message, "Subject"), 500),
        message_id=shortened(value(message, "Message-ID"), 500) or None,
        sent_at=shortened(value(message, "Date"), 100),
        is_automatic=_is_automatic(message, address),
    )


def is_bulk(message: Message) -> bool:
    """Whether the mail went to many: lists and newsletters say so."""
    return value(message, "Precedence").lower() in {"bulk", "list"} or any(
        value(message, name) for name in ("List-Id", "List-Unsubscribe", "List-Post")
    )


def _is_automatic(message: Message, address: str | None) -> bool:
    submitted = value(message, "Auto-Submitted").partition(";")[0].strip().lower()
    return (
        submitted not in {"", "no"}
        or value(message, "Precedence").lower() in _BULK
        or any(value(message, name) for name in _OF_LISTS)
        or message.get_content_type() == "multipart/report"
        or address is None
        or _ROBOTS.match(address) is not None
        or _replies_to_an_answer(message)
    )


def _replies_to_an_answer(message: Message) -> bool:
    """Whether it comes back for an answer of this service, without a file: so do vacation responders that say nothing
    of being robots. People who send a document once more are answered."""
    if not _ANSWERED.search(value(message, "In-Reply-To") + value(message, "References")):
        return False
    return not any(file_name(part) for part in message.walk())
