"""The type of a document, told from its bytes alone: a claimed name or type never overrides them."""

import re

PDF = "application/pdf"
JPEG = "image/jpeg"
PNG = "image/png"
HEIC = "image/heic"
HTML = "text/html"

READABLE = frozenset({PDF})
"""The types that this version has a reader for."""
NAMES = {PDF: "PDF", JPEG: "JPEG", PNG: "PNG", HEIC: "HEIC", HTML: "HTML"}

# Readers of PDF accept junk before the header, by long custom within the first 1024 bytes.
_PDF_WINDOW = 1024
_HTML_WINDOW = 4096
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"})
_HEIF_BRANDS = frozenset({b"mif1", b"msf1"})
# Possessive (*+) and atomic (?>): no input makes it try again and again.
_HTML_START = re.compile(
    rb"\A\s*+(<\?xml[^>]*+>\s*+)?+((?><!--.*?-->)\s*+)*+(<!doctype\s+html|<(html|head|body|title|meta|table|div|p|style)[\s>/])",
    re.IGNORECASE | re.DOTALL,
)


def sniff(data: bytes) -> str | None:
    """The MIME type of `data`, or None where it is none of the supported types."""
    if data.startswith(b"\xff\xd8\xff"):
        return JPEG
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return PNG
    if _is_heic(data):
        return HEIC
    if b"%PDF-" in data[:_PDF_WINDOW]:
        return PDF
    return HTML if _is_html(data[:_HTML_WINDOW]) else None


def _is_heic(data: bytes) -> bool:
    """ISO base media file (ISO/IEC 14496-12) whose brands promise HEVC pictures; AVIF shares the container."""
    if data[4:8] != b"ftyp":
        return False
    size = min(int.from_bytes(data[:4], "big"), 256)
    brands = {data[at : at + 4] for at in (8, *range(16, size, 4))}
    return bool(brands & _HEIC_BRANDS) or (data[8:12] in _HEIF_BRANDS and not brands & {b"avif", b"avis"})


def _is_html(start: bytes) -> bool:
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if start.startswith(mark):
            start = start[2:].decode(encoding, "ignore").encode()
    return _HTML_START.match(start.removeprefix(b"\xef\xbb\xbf")) is not None
