"""What a file is, by its bytes, where that decides what becomes of it."""

import codecs
import re
from dataclasses import dataclass
from io import BytesIO

import pillow_heif
from PIL import Image

from serve_app.documents.mail.containers import is_encrypted, is_ole, is_tnef, office_kind
from serve_app.documents.mail.leaf import Leaf
from serve_app.documents.pdf.pdfium import opened
from serve_app.documents.sniff import HTML, XML, is_zip, sniff
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

LOGO_SIDE = 600
LOGO_BYTES = 20_000
LOGO_RATIO = 4
BESIDE_A_PDF_SIDE = 800
READABLE_SIDE = 150
"""Pixels of the shorter side: a smaller picture shows no document that could be read."""

_TEXT_WINDOW = 65_536
_XML = re.compile(rb"\A(?:\xef\xbb\xbf|\s)*<(?:\?xml|[A-Za-z])")
_UNSUPPORTED = (
    (b"GIF8", "a GIF picture"), (b"BM", "a BMP picture"), (b"II*\0", "a TIFF picture"), (b"MM\0*", "a TIFF picture"),
    (b"{\\rtf", "an RTF text"), (b"Rar!", "a RAR archive"), (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"\x1f\x8b", "a gzip archive"), (b"%!PS", "a PostScript file"),
)  # fmt: skip
_SMALL_TALK = {
    "text/calendar": "It is a calendar entry.",
    "application/ics": "It is a calendar entry.",
    "text/vcard": "It is a business card.",
    "text/x-vcard": "It is a business card.",
    "text/directory": "It is a business card.",
    "application/pkcs7-signature": "It is a signature.",
    "application/x-pkcs7-signature": "It is a signature.",
    "application/pgp-signature": "It is a signature.",
    "application/pgp-keys": "It is a key.",
    "message/delivery-status": "It is a delivery report.",
    "message/disposition-notification": "It is a delivery report.",
    "message/global-delivery-status": "It is a delivery report.",
    "text/rfc822-headers": "It is a delivery report.",
    "application/applefile": "It is a Mac system file.",
}
_BY_ENDING = {
    ".ics": "text/calendar", ".vcf": "text/vcard", ".p7s": "application/pkcs7-signature",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sides:
    """Of a picture, in pixels."""

    width: int
    height: int

    @property
    def shorter(self) -> int:
        return min(self.width, self.height)

    @property
    def longer(self) -> int:
        return max(self.width, self.height)


def sides_of(data: bytes) -> Sides | None:
    """The size of a picture, from its header; None if it has none that can be read."""
    try:
        with Image.open(BytesIO(data)) as picture:
            return Sides(*picture.size)
    except Exception:
        return None


pillow_heif.register_heif_opener()


def is_file(data: bytes) -> bool:
    """Whether the bytes are a file and no text, whatever the mail calls them."""
    return sniff(data) not in {None, HTML, XML} or is_zip(data) or is_tnef(data) or is_ole(data) or is_encrypted(data)


def is_locked(pdf: bytes) -> bool:
    """Whether the PDF opens only with a password."""
    try:
        with opened(pdf):
            return False
    except DocumentError as error:
        return error.code is FailureCode.DOCUMENT_ENCRYPTED


def small_talk(leaf: Leaf) -> str | None:
    """Why the part is something that goes with mails and is no document."""
    ending = next((kind for end, kind in _BY_ENDING.items() if (leaf.name or "").lower().endswith(end)), None)
    reason = _SMALL_TALK.get(leaf.declared) or _SMALL_TALK.get(ending or "")
    if leaf.data.lstrip()[:15].upper() == b"BEGIN:VCALENDAR":
        return _SMALL_TALK["text/calendar"]
    return reason


def is_text(data: bytes) -> bool:
    """Whether people could read the bytes as they are."""
    return not is_file(data) and b"\0" not in data[:_TEXT_WINDOW]


def is_xml(data: bytes) -> bool:
    return _XML.match(_start(data)) is not None


def _start(data: bytes) -> bytes:
    """The first characters, in an encoding that is like ASCII."""
    start = data[:40_000]
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return start.decode("utf-16", "ignore").encode()
    return start


def name_of_unsupported(data: bytes) -> str:
    """What to call a file that is no document the service reads."""
    if is_zip(data):
        return f"{office_kind(data) or 'an office'} document"
    if is_ole(data):
        return "an older document of Word, Excel or Outlook"
    if is_xml(data) and b"<svg" in data[:2000]:
        return "an SVG picture"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a WebP picture"
    return next((name for start, name in _UNSUPPORTED if data.startswith(start)), "a file of an unknown kind")
