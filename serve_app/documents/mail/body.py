"""The text of a mail: what people read in it, the document that it makes, and its links."""

import base64
import codecs
import html
import re
from html.parser import HTMLParser

import webencodings

from serve_app.documents.html.charset import decode
from serve_app.documents.mail.leaf import Leaf
from serve_app.documents.mail.limits import BODY_CHARACTERS, LINK_CHARACTERS, MOST_LINKS
from serve_app.documents.sniff import HTML, JPEG, PNG, sniff
from serve_app.domain.plain_text import one_line

_LINK = re.compile(r"https?://[^\s<>\"')\]]{4,}", re.IGNORECASE)
_CID = re.compile(r"cid:([^\s\"'<>)]{1,250})", re.IGNORECASE)
# Their bytes may be valid UTF-8 without being meant so.
_NOT_LIKE_ASCII = {"iso-2022-jp", "utf-16le", "utf-16be"}
_NOT_TEXT = {"script", "style", "head", "title"}
_BLOCKS = {"p", "br", "div", "td", "th", "tr", "li", "h1", "h2", "h3", "h4", "table"}


class _Text(HTMLParser):
    """The text that a reader sees, roughly, and the links."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.links: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in _NOT_TEXT
        if tag in _BLOCKS:
            self.pieces.append("\n")
        if tag == "a" and (href := dict(attrs).get("href")):
            self.links.append(href.strip())

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in _NOT_TEXT))

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(data)


def text_of(leaf: Leaf) -> str:
    """Its characters: in UTF-8 if they can be, else as the mail's header says, else as an HTML file itself does."""
    named = webencodings.lookup(leaf.charset or "")
    if named is not None and named.name in _NOT_LIKE_ASCII:
        return _decoded(leaf.data, named)
    try:
        return leaf.data.decode("utf-8-sig")[:BODY_CHARACTERS]
    except UnicodeDecodeError:
        pass
    if named is not None or leaf.declared != "text/html":
        return _decoded(leaf.data, named or webencodings.lookup("windows-1252"))
    return decode(leaf.data)[:BODY_CHARACTERS]


def _decoded(data: bytes, encoding: webencodings.Encoding) -> str:
    text, _ = webencodings.decode(data, encoding, errors="replace")
    return str(text)[:BODY_CHARACTERS]


def read(leaf: Leaf) -> tuple[str, tuple[str, ...]]:
    """The text that people see, and its links."""
    written = text_of(leaf)
    if leaf.declared != "text/html":
        return written, _links(_LINK.findall(written))
    parser = _Text()
    try:
        parser.feed(written)
    except Exception:
        # What was read so far is enough to judge by.
        parser.close()
    return "".join(parser.pieces), _links(parser.links)


def _links(found: list[str]) -> tuple[str, ...]:
    fit = (one_line(link) for link in found if link.lower().startswith(("https://", "http://")))
    return tuple(dict.fromkeys(link for link in fit if len(link) <= LINK_CHARACTERS))[:MOST_LINKS]


def cids_in(leaf: Leaf) -> set[str]:
    """The Content-IDs of the pictures that the text shows in place."""
    return set(_CID.findall(text_of(leaf))) if leaf.declared == "text/html" else set()


def page_of(leaf: Leaf, pictures: dict[str, bytes]) -> bytes:
    """An HTML document of the body, with the mail's own pictures (by Content-ID) in place."""
    text = text_of(leaf)
    if leaf.declared == "text/html":
        shown = _CID.sub(lambda found: _data_url(pictures.get(found[1])), text).encode("utf-8", "replace")
        if sniff(shown) != HTML:
            shown = b"<!DOCTYPE html><html><body>" + shown + b"</body></html>"
        # What the mail's header says of the encoding does not reach the file.
        return codecs.BOM_UTF8 + shown
    return (
        '<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><pre style="white-space: pre-wrap">'
        f"{html.escape(text)}</pre></body></html>"
    ).encode("utf-8", "replace")


def _data_url(picture: bytes | None) -> str:
    kind = sniff(picture) if picture else None
    if picture is None or kind not in {JPEG, PNG}:
        return "about:blank"
    return f"data:{kind};base64,{base64.b64encode(picture).decode('ascii')}"
