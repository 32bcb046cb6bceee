"""The type of a document, judged by its bytes alone: a claimed name or type never overrides them."""

import binascii
import re
from contextlib import suppress

from serve_app.domain.einvoice import MIME_TYPE

PDF = "application/pdf"
JPEG = "image/jpeg"
PNG = "image/png"
HEIC = "image/heic"
HTML = "text/html"
XML = MIME_TYPE

NAMES = {PDF: "PDF", JPEG: "JPEG", PNG: "PNG", HEIC: "HEIC", HTML: "HTML"}
"""The types that every deployment takes through the API."""

# PDF readers traditionally accept junk before the header, within the first 1024 bytes.
_PDF_WINDOW = 1024
_PDF_HEADER = b"%PDF-"
_HTML_WINDOW = 65536
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"})
_HEIF_BRANDS = frozenset({b"mif1", b"msf1"})
_NAME = (
    rb"html|head|body|title|meta|link|base|style|script|table|tbody|thead|tr|td|th|div|p|span|center|font|a|img|br|hr|"
    rb"h[1-6]|ul|ol|li|dl|b|i|u|strong|em|small|big|pre|blockquote|section|article|main|header|footer|nav|form|label"
)
# Files that contain others, or bytes of any kind. What such a file holds is never taken for the whole.
_CONTAINERS = (
    *(b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08", b"PK00", b"Rar!", b"7z\xbc\xaf\x27\x1c", b"\x1f\x8b", b"BZh"),
    *(b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"MSCF", b"!<arch>", b"070701", b"070702", b"070707"),
    *(b"\xc7\x71", b"\x71\xc7", b"xar!", b"\x60\xea", b"\xd0\xcf\x11\xe0", b"\x78\x9f\x3e\x22", b"{\\rtf", b"%!PS"),
    *(b"\xc5\xd0\xd3\xc6", b"II*\0", b"MM\0*", b"II+\0", b"MM\0+", b"GIF8", b"8BPS", b"OggS", b"fLaC"),
    *(b"\x1aE\xdf\xa3", b"\0\0\x01\0", b"\x7fELF", b"\xca\xfe\xba\xbe", b"SQLite format 3", b"WARC/", b"\0asm"),
    *(b"StuffIt", b"SIT!", b"-----BEGIN", b"\xff\xd8\xff", b"\x89PNG"),
)  # fmt: skip
# Texts may begin with these letters, too.
_BINARY_CONTAINERS = (b"BM", b"MZ", b"ID3", b"RIFF")
_BINARY_WINDOW = 64
_SIGNED_DATA = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
_SIGNED_WINDOW = 64
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_TIFF = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
_LHA = re.compile(rb"..-l[hz][0-9ds]-", re.DOTALL)
# A mail, a mailbox, a part of a mail, or the body of one that begins with its first boundary.
_MIME = re.compile(
    rb"(?:From [^\n]{1,200}\n|--[^\r\n]{1,200}\r?\n)?"
    rb"(?:content-(?:type|transfer-encoding|disposition|id)|mime-version|received|return-path|delivered-to|message-id|"
    rb"from|to|subject|date|x-[a-z-]{1,40})[ \t]*:",
    re.IGNORECASE,
)
_TAR_BLOCK = 512
_TAR_SUM = slice(148, 156)
_WHITE = b"\0\t\n\f\r \xef\xbb\xbf"
# Possessive (*+) and atomic (?>): no input causes catastrophic backtracking.
_BEFORE_HTML = re.compile(rb"\A(?>\s++|<!--(?>.*?-->)|<!\[(?:if|endif)[^>]*+>)*+", re.IGNORECASE | re.DOTALL)
_XML = re.compile(rb"\A(?><\?xml[^>]*+>\s*+)++", re.IGNORECASE)
# Of XML without a declaration, only files whose root element declares its namespace count: text may begin with a tag.
_XML_START = re.compile(rb"<[A-Za-z][\w.-]*+(?::[\w.-]++)?+\s[^<>]*?xmlns(?::[\w.-]++)?+\s*+=")
_SVG_START = re.compile(rb"<(?:\w++:)?svg[\s>]|<!doctype\s+svg\b", re.IGNORECASE)
_HTML_START = re.compile(rb"<!doctype\s+html\b|<(?:%b)(?=[\s>/])" % _NAME, re.IGNORECASE)
_XHTML_START = re.compile(rb"<!doctype\s+html\b|<html(?=[\s>])", re.IGNORECASE)
_TAG = re.compile(rb"</?+(?:%b)(?=[\s>/])[^<>]*+>" % _NAME, re.IGNORECASE)
_CLOSING_BLOCK = re.compile(rb"</(?:table|td|div|p|body|html)\s*+>", re.IGNORECASE)
# E-mails, source code, JSON and Markdown may quote HTML without being HTML.
_OTHER_START = re.compile(
    rb"[{\[\"'#%<*=`]|(?:from|to|subject|date|received|return-path|delivered-to|message-id|mime-version|content-type):",
    re.IGNORECASE,
)
# The share that must be tags in a fragment that begins with text.
_TAG_SHARE = 0.1


def sniff(data: bytes) -> str | None:
    """The MIME type of `data`, or None if it is not supported."""
    if data.startswith(b"\xff\xd8\xff"):
        return JPEG
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return PNG
    if _is_heic(data):
        return HEIC
    if data[:_PDF_WINDOW].lstrip(_WHITE).startswith(_PDF_HEADER):
        return PDF
    if is_container(data):
        return None
    if _is_html(data[:_HTML_WINDOW]):
        return HTML
    if _is_xml(data[:_HTML_WINDOW]):
        return XML
    return PDF if _is_pdf_after_junk(data) else None


def is_zip(data: bytes) -> bool:
    """Whether it is a ZIP, perhaps one that is a document of an office program."""
    return data.startswith(_ZIP)


def is_convertible(data: bytes) -> bool:
    """Whether it is a TIFF or a WebP, which the web application and e-mail turn into PDFs."""
    return data.startswith(_TIFF) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def is_signed(data: bytes) -> bool:
    """Whether it is a file with a signature around it (.p7m), which may stand in base64."""
    start = data[:_SIGNED_WINDOW]
    if start.startswith(b"MI"):
        letters = start.translate(None, b"\r\n \t")
        with suppress(binascii.Error):
            start = binascii.a2b_base64(letters[: len(letters) - len(letters) % 4])
    return start.startswith(b"\x30") and _SIGNED_DATA in start


def is_container(data: bytes) -> bool:
    """Whether it begins as a file of a kind that may contain others, so that nothing found in it is the whole."""
    start = data[:_PDF_WINDOW].lstrip(_WHITE)
    if any(data.startswith(mark) or start.startswith(mark) for mark in _CONTAINERS):
        return True
    if data.startswith(_BINARY_CONTAINERS) and b"\0" in data[:_BINARY_WINDOW]:
        return True
    return _is_tar(data) or data[4:8] == b"ftyp" or _LHA.match(data) is not None or _MIME.match(start) is not None


def _is_tar(data: bytes) -> bool:
    """By the checksum of its first header, which every kind of tar has."""
    written = data[_TAR_SUM].strip(b" \0")
    if len(data) < _TAR_BLOCK or not written or written.strip(b"01234567"):
        return False
    header = data[: _TAR_SUM.start] + b" " * 8 + data[_TAR_SUM.stop : _TAR_BLOCK]
    return sum(header) == int(written, 8)


def _is_pdf_after_junk(data: bytes) -> bool:
    """A header within the first bytes after something that is no file of its own, and one PDF only behind it."""
    before, header, _ = data[:_PDF_WINDOW].partition(_PDF_HEADER)
    if not header or b"PK\x03\x04" in before:
        return False
    return data.count(_PDF_HEADER) == 1 and (b"startxref" in data or b"endobj" in data)


def _is_heic(data: bytes) -> bool:
    """ISO base media file (ISO/IEC 14496-12) whose brands announce HEVC pictures; AVIF uses the same container."""
    if data[4:8] != b"ftyp":
        return False
    size = min(int.from_bytes(data[:4], "big"), 256)
    brands = {data[at : at + 4] for at in (8, *range(16, size, 4))}
    return bool(brands & _HEIC_BRANDS) or (data[8:12] in _HEIF_BRANDS and not brands & {b"avif", b"avis"})


def _is_html(start: bytes) -> bool:
    """A document, or a fragment as mail programs store it; other XML, SVG and plain text do not count."""
    start = _BEFORE_HTML.sub(b"", _as_ascii(start), count=1)
    body, xml_declarations = _XML.subn(b"", start, count=1)
    if xml_declarations:
        return _XHTML_START.match(_BEFORE_HTML.sub(b"", body, count=1)) is not None
    return _HTML_START.match(start) is not None or _is_fragment(start)


def _is_xml(start: bytes) -> bool:
    """XML that is neither HTML, which is asked for first, nor a drawing."""
    start = _BEFORE_HTML.sub(b"", _as_ascii(start), count=1)
    body, declarations = _XML.subn(b"", start, count=1)
    body = _BEFORE_HTML.sub(b"", body, count=1)
    is_declared = bool(declarations) and body.startswith(b"<")
    return (is_declared or _XML_START.match(body) is not None) and _SVG_START.match(body) is None


def _as_ascii(start: bytes) -> bytes:
    """The text in an ASCII-compatible encoding, without byte order mark."""
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if start.startswith(mark):
            return start[2:].decode(encoding, "ignore").encode()
    for mark, encoding in ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be")):
        if start.startswith(mark):
            return start.decode(encoding, "ignore").encode()
    return start.removeprefix(b"\xef\xbb\xbf")


def _is_fragment(start: bytes) -> bool:
    """Text that soon turns out to be mostly markup."""
    if b"\0" in start or _OTHER_START.match(start) or not _CLOSING_BLOCK.search(start):
        return False
    return sum(len(tag) for tag in _TAG.findall(start)) >= _TAG_SHARE * len(start)
