"""Decode HTML bytes the way browsers decode a file without HTTP headers.

Follows the WHATWG standard (HTML, "Determining the character encoding"), with one deviation: bytes that are valid UTF-8
and not plain ASCII are UTF-8 whatever the file declares. E-mail bodies often carry a stale declaration that the mail's
header overrode, and text in another encoding is practically never valid UTF-8 by accident.
"""

import codecs
import re

import webencodings

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# A declaration only counts within the first kilobyte.
_PRESCAN = 1024
_DECLARED = re.compile(
    rb"<\?xml[^>]*?\bencoding\s*=\s*[\"']?([\w.:-]+)|<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE
)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_FALLBACK = "windows-1252"
# Encodings that use ASCII bytes for other scripts.
_STATEFUL = frozenset({"iso-2022-jp"})


def decode(data: bytes) -> str:
    """The text of an HTML file; bytes that are invalid in its encoding become U+FFFD."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    if data[:2] in (b"<\0", b"\0<"):
        return data.decode("utf-16-le" if data.startswith(b"<") else "utf-16-be", "replace")
    declared = _declared(data[:_PRESCAN])
    if declared not in _STATEFUL:
        try:
            return data.decode()
        except UnicodeDecodeError:
            pass
    return _decode_as(data, declared if declared not in (None, "utf-8") else _FALLBACK)


def _declared(start: bytes) -> str | None:
    """The WHATWG name of the encoding that the file declares."""
    match = _DECLARED.search(_COMMENT.sub(b"", start))
    label = next(filter(None, match.groups())).decode("ascii", "replace") if match else ""
    encoding = webencodings.lookup(label)
    # A UTF-16 file cannot contain a declaration that is readable as ASCII.
    return None if encoding is None or encoding.name.startswith("utf-16") else str(encoding.name)


def _decode_as(data: bytes, name: str | None) -> str:
    text, _ = webencodings.decode(data, webencodings.lookup(name or _FALLBACK), errors="replace")
    return str(text)
