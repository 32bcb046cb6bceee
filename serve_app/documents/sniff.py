"""The type of a document, judged by its bytes alone: a claimed name or type never overrides them."""

import re

PDF = "application/pdf"
JPEG = "image/jpeg"
PNG = "image/png"
HEIC = "image/heic"
HTML = "text/html"

NAMES = {PDF: "PDF", JPEG: "JPEG", PNG: "PNG", HEIC: "HEIC", HTML: "HTML"}

# PDF readers traditionally accept junk before the header, within the first 1024 bytes.
_PDF_WINDOW = 1024
_HTML_WINDOW = 65536
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"})
_HEIF_BRANDS = frozenset({b"mif1", b"msf1"})
_NAME = (
    rb"html|head|body|title|meta|link|base|style|script|table|tbody|thead|tr|td|th|div|p|span|center|font|a|img|br|hr|"
    rb"h[1-6]|ul|ol|li|dl|b|i|u|strong|em|small|big|pre|blockquote|section|article|main|header|footer|nav|form|label"
)
# Possessive (*+) and atomic (?>): no input causes catastrophic backtracking.
_BEFORE_HTML = re.compile(rb"\A(?>\s++|<!--(?>.*?-->)|<!\[(?:if|endif)[^>]*+>)*+", re.IGNORECASE | re.DOTALL)
_XML = re.compile(rb"\A(?><\?xml[^>]*+>\s*+)++", re.IGNORECASE)
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
    if _is_pdf(data):
        return PDF
    return HTML if _is_html(data[:_HTML_WINDOW]) else None


def _is_pdf(data: bytes) -> bool:
    """A header within the first bytes; if anything but white space precedes it, the rest must look like a PDF, too."""
    before, header, _ = data[:_PDF_WINDOW].partition(b"%PDF-")
    return bool(header) and (not before.strip(b"\0\t\n\f\r \xef\xbb\xbf") or b"startxref" in data or b"endobj" in data)


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
