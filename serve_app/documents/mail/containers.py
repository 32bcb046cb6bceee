"""Files that contain others: ZIP, winmail.dat, signed content, XML of several invoices. `outlook` opens .msg files."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any

from asn1crypto import cms
from olefile import isOleFile
from tnefparse import TNEF

from serve_app.documents.einvoice import separated
from serve_app.documents.limits import MIB
from serve_app.documents.mail.headers import characters
from serve_app.documents.mail.limits import ZIP_BYTES, ZIP_ENTRIES, ZIP_RATIO
from serve_app.documents.mail.transfer import from_base64
from serve_app.documents.sniff import XML, sniff
from serve_app.domain.inbound_mail import Outcome

_TNEF_SIGNATURE = b"\x78\x9f\x3e\x22"
_TNEF_HEADER = 6
_TNEF_CONTENT_ID = 0x3712
_TNEF_FRAME = 11
"""Bytes of an attribute beside its value."""
_TNEF_LEVELS = (1, 2)
_TNEF_ATTRIBUTES = 5_000
"""At most. tnefparse copies the rest of the file at each of them."""
_TNEF_DAMAGED = "Outlook's winmail.dat is damaged. Send the document as a PDF."
_TNEF_CROWDED = "Outlook's winmail.dat has too many parts. Send the document as a PDF."
_SIGNED = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
_ENVELOPED = (b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03", b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x17")
_OID_WINDOW = 40
_BASE64 = re.compile(rb"\A[A-Za-z0-9+/=\s]+\Z")
_MIME_START = re.compile(rb"\A(?:content-|mime-version:)", re.IGNORECASE)
_OFFICE = {
    "word/": "a Word", "xl/": "an Excel", "ppt/": "a PowerPoint", "[Content_Types].xml": "an office",
    "mimetype": "an OpenDocument or similar",
}  # fmt: skip
_LOCKED = "The file in the ZIP archive is protected with a password. Send it without a password."
_INVOICE = "invoice"
_UTF_8 = 0x800
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
    content_id: str | None = None


def office_kind(data: bytes) -> str | None:
    """What to call a ZIP that is itself a document of an office program; None if it is an archive."""
    try:
        names = zipfile.ZipFile(BytesIO(data)).namelist()
    except Exception:
        return None
    if "[Content_Types].xml" not in names and names[:1] != ["mimetype"]:
        return None
    return next(kind for start, kind in _OFFICE.items() if any(name.startswith(start) for name in names))


@dataclass(slots=True)
class Room:
    """How many bytes may still be unpacked from the archives of a mail."""

    left: int = ZIP_BYTES


def unzipped(data: bytes, room: Room) -> Iterator[Entry]:
    """The files in a ZIP. Raises NotOpened if it is damaged or has too many; a file that is too large or encrypted is
    an entry with a problem."""
    try:
        archive = zipfile.ZipFile(BytesIO(data))
        entries = [entry for entry in archive.infolist() if not entry.is_dir() and not _is_junk(entry.filename)]
    except Exception:
        raise NotOpened(Outcome.UNREADABLE, "The ZIP archive is damaged.") from None
    if len(entries) > ZIP_ENTRIES:
        raise NotOpened(Outcome.TOO_MANY, f"The ZIP archive has over {ZIP_ENTRIES} files.")
    for entry in entries:
        name = _name_of(entry)
        try:
            content = _unzip(archive, entry, min(room.left, 15 * MIB))
        except NotOpened as problem:
            yield Entry(name, b"", problem=problem)
            continue
        room.left -= len(content)
        yield Entry(name, content)


def invoices_in(data: bytes, name: str | None, room: Room) -> Iterator[Entry] | None:
    """The electronic invoices of an XML of several; None if it is none. Raises NotOpened, also on the way, if they are
    too large together, because each has a copy of what they have in common."""
    found = separated(data) if sniff(data) == XML else None
    return None if found is None else _invoices(found, name, room)


def _invoices(found: Iterator[bytes], name: str | None, room: Room) -> Iterator[Entry]:
    stem = PurePosixPath(name or _INVOICE).stem
    for number, invoice in enumerate(found, 1):
        room.left -= len(invoice)
        if room.left < 0:
            raise NotOpened(Outcome.TOO_LARGE, "The electronic invoices of the file are too large together.")
        yield Entry(f"{stem}-{number}.xml", invoice)


def _name_of(entry: zipfile.ZipInfo) -> str:
    """Without its folders. Names that are not marked as UTF-8 are read as CP437, whatever they are."""
    name = entry.filename.rpartition("/")[2]
    if entry.flag_bits & _UTF_8 or name.isascii():
        return name
    try:
        return characters(name.encode("cp437"))
    except UnicodeEncodeError:
        return name


def _is_junk(name: str) -> bool:
    return any(junk in name for junk in _JUNK)


def _unzip(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes:
    if entry.flag_bits & 0x1:
        raise NotOpened(Outcome.NEEDS_PASSWORD, _LOCKED)
    if entry.file_size > most or entry.file_size > ZIP_RATIO * max(entry.compress_size, 1) + MIB:
        raise NotOpened(Outcome.TOO_LARGE, "The unpacked file of the ZIP archive is too large.")
    try:
        with archive.open(entry) as file:
            # The declared size may be a lie.
            content = file.read(most + 1)
    except Exception:
        raise NotOpened(Outcome.UNREADABLE, "The file in the ZIP archive is damaged.") from None
    if len(content) > most:
        raise NotOpened(Outcome.TOO_LARGE, "The unpacked file of the ZIP archive is too large.")
    return content


def is_tnef(data: bytes) -> bool:
    return data.startswith(_TNEF_SIGNATURE)


def tnef_entries(data: bytes) -> list[Entry]:
    """What Outlook has wrapped into winmail.dat. Raises NotOpened."""
    if sum(1 for _ in _tnef_attributes(data)) > _TNEF_ATTRIBUTES:
        raise NotOpened(Outcome.TOO_LARGE, _TNEF_CROWDED)
    try:
        # Some programs write wrong checksums.
        tnef = TNEF(_without_end(data), do_checksum=False)
        files = [_tnef_file(each) for each in tnef.attachments]
        found = [*bodies_of(tnef.body, tnef.htmlbody), *files]
    except Exception:
        raise NotOpened(Outcome.UNREADABLE, _TNEF_DAMAGED) from None
    if not found and _is_cut(data):
        raise NotOpened(Outcome.UNREADABLE, _TNEF_DAMAGED)
    if not found:
        raise NotOpened(Outcome.IGNORED, "Outlook's winmail.dat has no file, only the format of the text.")
    return found


def _tnef_file(attachment: Any) -> Entry:
    ids = (str(each.data) for each in attachment.mapi_attrs if each.name == _TNEF_CONTENT_ID)
    name = str(attachment.long_filename() or "") or None
    return Entry(name, bytes(attachment.data or b""), content_id=next(ids, "").strip("<> \0") or None)


def _without_end(data: bytes) -> bytes:
    """Some programs write something after the last attribute."""
    return data[: _end_of_attributes(data)]


def _is_cut(data: bytes) -> bool:
    end = _end_of_attributes(data)
    return end > len(data) or any(level in _TNEF_LEVELS for level in data[end : end + 1])


def _end_of_attributes(data: bytes) -> int:
    """Where something begins that has no level of TNEF."""
    return max(_tnef_attributes(data), default=_TNEF_HEADER)


def _tnef_attributes(data: bytes) -> Iterator[int]:
    """Where each attribute ends; the last may claim to end after the file."""
    at = _TNEF_HEADER
    while at + _TNEF_FRAME <= len(data) and data[at] in _TNEF_LEVELS:
        at += int.from_bytes(data[at + 5 : at + 9], "little") + _TNEF_FRAME
        yield at


def is_ole(data: bytes) -> bool:
    return data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") and isOleFile(data=data)


def bodies_of(text: object, html: object) -> list[Entry]:
    found = []
    for content, declared in ((text, "text/plain"), (html, "text/html")):
        if content:
            data = content if isinstance(content, bytes) else str(content).encode("utf-8", "replace")
            found.append(Entry(None, data, declared, is_body=True))
    return found


def is_encrypted(data: bytes) -> bool:
    """Whether it is enveloped data of S/MIME."""
    return _der(data, _ENVELOPED) is not None


def signed_content(data: bytes) -> bytes | None:
    """What was signed, without judging the signature; None if it is no signed data. Raises NotOpened if it contains
    nothing or cannot be read."""
    der = _der(data, (_SIGNED,))
    if der is None:
        return None
    try:
        content = cms.ContentInfo.load(der)["content"]["encap_content_info"]["content"].native
    except Exception:
        raise NotOpened(Outcome.UNREADABLE, "The signed file is damaged.") from None
    if not content:
        raise NotOpened(Outcome.IGNORED, "It is a signature.")
    return bytes(content)


def _der(data: bytes, kinds: Sequence[bytes]) -> bytes | None:
    """The bytes of a file of one of these kinds, which may stand in base64; None if it is none."""
    if data[:1] != b"\x30":
        body = re.sub(rb"-----[A-Z0-9 ]+-----", b"", data[:200]) + data[200:]
        body = re.sub(rb"-----END [A-Z0-9 ]+-----\s*\Z", b"", body)
        if not body.lstrip().startswith(b"MI") or not _BASE64.match(body):
            return None
        data = from_base64(body)
    return data if any(kind in data[:_OID_WINDOW] for kind in kinds) else None


def is_mime(data: bytes) -> bool:
    """Whether content that was signed is a part of a mail, with headers."""
    return _MIME_START.match(data.lstrip()) is not None
