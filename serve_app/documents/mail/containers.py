"""Files that contain others: ZIP, winmail.dat, .msg, and signed content."""

import base64
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

from asn1crypto import cms
from olefile import isOleFile
from oxmsg import Message as OutlookMessage
from tnefparse import TNEF

from serve_app.documents.limits import MIB
from serve_app.documents.mail.limits import ZIP_BYTES, ZIP_ENTRIES, ZIP_RATIO
from serve_app.domain.inbound_mail import Outcome

_TNEF_SIGNATURE = b"\x78\x9f\x3e\x22"
_SIGNED = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
_ENVELOPED = (b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03", b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x17")
_OID_WINDOW = 40
_BASE64 = re.compile(rb"\A[A-Za-z0-9+/=\s]+\Z")
_MIME_START = re.compile(rb"\A(?:content-|mime-version:)", re.IGNORECASE)
_OFFICE = {
    b"word/": "a Word", b"xl/": "an Excel", b"ppt/": "a PowerPoint", b"[Content_Types].xml": "an office",
    b"mimetypeapplication/vnd.oasis": "an OpenDocument",
}  # fmt: skip
_LOCKED = "The file in the ZIP archive is protected with a password: send it without one."
_JUNK = ("__MACOSX/", ".DS_Store", "Thumbs.db")


class NotOpened(Exception):
    """What a container holds cannot be had; `outcome` and `reason` say why."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(outcome, reason)
        self.outcome = outcome
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a container. `problem` is why its bytes are not there."""

    name: str | None
    data: bytes
    declared: str = "application/octet-stream"
    problem: NotOpened | None = None
    is_body: bool = False


def is_zip(data: bytes) -> bool:
    return data.startswith(b"PK\x03\x04") or data.startswith(b"PK\x05\x06")


def office_kind(data: bytes) -> str | None:
    """What to call a ZIP that is itself a document of an office program; None if it is an archive."""
    start = data[:4096]
    for mark, kind in _OFFICE.items():
        if mark in start:
            return kind
    return None


def unzipped(data: bytes) -> Iterator[Entry]:
    """The files in a ZIP. Raises NotOpened if it is damaged or has too many; a file that is too large or encrypted is
    an entry with a problem."""
    try:
        archive = zipfile.ZipFile(BytesIO(data))
        entries = [entry for entry in archive.infolist() if not entry.is_dir() and not _is_junk(entry.filename)]
    except Exception:
        raise NotOpened(Outcome.UNREADABLE, "The ZIP archive is damaged.") from None
    if len(entries) > ZIP_ENTRIES:
        raise NotOpened(Outcome.TOO_MANY, f"The ZIP archive has over {ZIP_ENTRIES} files.")
    left = ZIP_BYTES
    for entry in entries:
        name = entry.filename.rpartition("/")[2]
        try:
            content = _unzip(archive, entry, min(left, 15 * MIB))
        except NotOpened as problem:
            yield Entry(name, b"", problem=problem)
            continue
        left -= len(content)
        yield Entry(name, content)


def _is_junk(name: str) -> bool:
    return any(junk in name for junk in _JUNK)


def _unzip(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes:
    if entry.flag_bits & 0x1:
        raise NotOpened(Outcome.NEEDS_PASSWORD, _LOCKED)
    if entry.file_size > most or entry.file_size > ZIP_RATIO * max(entry.compress_size, 1) + MIB:
        raise NotOpened(Outcome.TOO_LARGE, "The file in the ZIP archive is too large once it is unpacked.")
    try:
        with archive.open(entry) as file:
            # The declared size may be a lie.
            content = file.read(most + 1)
    except Exception:
        raise NotOpened(Outcome.UNREADABLE, "The file in the ZIP archive is damaged.") from None
    if len(content) > most:
        raise NotOpened(Outcome.TOO_LARGE, "The file in the ZIP archive is too large once it is unpacked.")
    return content


def is_tnef(data: bytes) -> bool:
    return data.startswith(_TNEF_SIGNATURE)


def tnef_entries(data: bytes) -> list[Entry]:
    """What Outlook has wrapped into winmail.dat. Raises NotOpened."""
    try:
        # Some programs write wrong checksums.
        tnef = TNEF(data, do_checksum=False)
        files = [Entry(str(each.long_filename() or "") or None, bytes(each.data or b"")) for each in tnef.attachments]
        found = [*_bodies(tnef.body, tnef.htmlbody), *files]
    except Exception:
        found = []
    if not found:
        raise NotOpened(Outcome.UNREADABLE, "Outlook's winmail.dat is damaged; send the document as a PDF.")
    return found


def is_ole(data: bytes) -> bool:
    return data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") and isOleFile(data=data)


def outlook_entries(data: bytes) -> tuple[str, str, list[Entry]] | None:
    """Sender, subject and content of an Outlook message (.msg); None if it is another file of Office. Raises
    NotOpened."""
    try:
        message = OutlookMessage.load(data)
        if not message.message_class.startswith("IPM"):
            return None
    except Exception:
        return None
    try:
        files = [
            Entry(each.file_name, each.file_bytes or b"", each.mime_type or "application/octet-stream")
            for each in message.attachments
        ]
        return message.sender or "", message.subject, [*_bodies(message.body, message.html_body), *files]
    except Exception:
        raise NotOpened(Outcome.UNREADABLE, "The Outlook message is damaged.") from None


def _bodies(text: object, html: object) -> list[Entry]:
    found = []
    for content, declared in ((text, "text/plain"), (html, "text/html")):
        if content:
            data = content if isinstance(content, bytes) else str(content).encode("utf-8", "replace")
            found.append(Entry(None, data, declared, is_body=True))
    return found


def is_encrypted(data: bytes) -> bool:
    """Whether it is enveloped data of S/MIME."""
    return data[:1] == b"\x30" and any(oid in data[:_OID_WINDOW] for oid in _ENVELOPED)


def signed_content(data: bytes) -> bytes | None:
    """What was signed, without judging the signature; None if it is no signed data. Raises NotOpened if it contains
    nothing or cannot be read."""
    der = _der(data)
    if der is None:
        return None
    try:
        content = cms.ContentInfo.load(der)["content"]["encap_content_info"]["content"].native
    except Exception:
        raise NotOpened(Outcome.UNREADABLE, "The signed file is damaged.") from None
    if not content:
        raise NotOpened(Outcome.IGNORED, "It is a signature.")
    return bytes(content)


def _der(data: bytes) -> bytes | None:
    if data[:1] == b"\x30":
        return data if _SIGNED in data[:_OID_WINDOW] else None
    body = re.sub(rb"-----[A-Z0-9 ]+-----", b"", data[:200]) + data[200:]
    body = re.sub(rb"-----END [A-Z0-9 ]+-----\s*\Z", b"", body)
    if not body.lstrip().startswith(b"MI") or not _BASE64.match(body):
        return None
    try:
        der = base64.b64decode(body)
    except ValueError:
        return None
    return der if _SIGNED in der[:_OID_WINDOW] else None


def is_mime(data: bytes) -> bool:
    """Whether content that was signed is a part of a mail, with headers."""
    return _MIME_START.match(data.lstrip()) is not None
