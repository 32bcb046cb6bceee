"""A cheap pass over the markup before anything parses it: removes what is costly and shows nothing.

HTML parsers and layout engines are quadratic or worse in nesting depth and attributes. This pass is linear: every
alternative of the pattern consumes what it starts, up to the end of the file if need be, as browsers do.
"""

import re

from serve_app.documents.html.css import harmless
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

MAX_ELEMENTS = 50_000
MAX_TEXT = 3_000_000
"""Characters outside of tags."""
MAX_DEPTH = 150
"""Boxes nested deeper are unwrapped: their content moves up."""
MAX_CSS = 1_000_000
"""Characters of all style sheets together; the rest is dropped."""
_MAX_ATTRIBUTES = 100

_ATTRIBUTES = r"""(?:[^"'>]|"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))*+"""
_TOKEN = re.compile(
    rf"""
      <!--(?:-?>|.*?(?:--!?>|\Z))
    | <(?P<raw>script|style|template|iframe|noembed|noframes|title)(?=[\s/>])(?P<raw_attributes>{_ATTRIBUTES})(?:>|\Z)
      (?P<content>.*?)(?:</(?P=raw)(?=[\s/>])[^>]*+(?:>|\Z)|\Z)
    | <(?P<end>/?)(?P<name>[a-z][^\s/>]*+)(?P<attributes>{_ATTRIBUTES})(?:>|\Z)
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_MEDIA = re.compile(r"""\bmedia\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
# Elements that close one another or are always empty do not nest, however often they are opened.
_FLAT = frozenset({
    "p", "li", "dt", "dd", "td", "th", "tr", "thead", "tbody", "tfoot", "option", "html", "head", "body",
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
})  # fmt: skip
# Inside a drawing, "<rect/>" is a whole element; anywhere else, or after an element that ends the drawing, it is not.
_DRAWING = frozenset({
    "svg", "g", "defs", "symbol", "use", "rect", "path", "circle", "ellipse", "line", "polyline", "polygon", "image",
    "text", "tspan", "lineargradient", "radialgradient", "stop", "clippath", "mask", "pattern",
})  # fmt: skip
# Boxes nested per element: the groups, rows and cells of a table are boxes, too.
_BOXES = {"table": 4, "ul": 3, "ol": 3, "dl": 3}
# In XML, "<title/>" is an empty element; HTML would treat the rest of the file as its content.
_EMPTY_RAW = re.compile(r"<(script|style|template|iframe|title|textarea)\b[^<>]*/>", re.IGNORECASE)


def simplify(markup: str) -> str:
    """The markup without scripts, comments and excess; raise DocumentError if there is too much of it."""
    markup = markup.replace("\0", "")
    if markup.lstrip().startswith("<?xml"):
        markup = _EMPTY_RAW.sub("", markup)
    return _Pass().run(markup)


class _Pass:
    def __init__(self) -> None:
        self._elements = 0
        self._depth = 0
        self._is_drawing = False
        self._css = 0

    def run(self, markup: str) -> str:
        kept: list[str] = []
        position = text = 0
        for match in _TOKEN.finditer(markup):
            text += match.start() - position
            kept += (markup[position : match.start()], self._token(match))
            position = match.end()
        text += len(markup) - position
        if text > MAX_TEXT or self._elements > MAX_ELEMENTS:
            raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, "The HTML has too much text or too many elements.")
        return "".join((*kept, markup[position:]))

    def _token(self, match: re.Match[str]) -> str:
        if match["name"]:
            return self._tag(match)
        return self._style(match) if (match["raw"] or "").lower() == "style" else ""

    def _tag(self, match: re.Match[str]) -> str:
        name = match["name"].lower()
        self._is_drawing = (
            name in _DRAWING and (self._is_drawing or name == "svg") and not (match["end"] and name == "svg")
        )
        if match["end"]:
            return "" if self._is_too_deep(name, -1) else f"</{name}>"
        self._elements += 1
        if self._is_drawing and match["attributes"].endswith("/"):
            return f"<{name}{_few(match['attributes'])}>"
        return "" if self._is_too_deep(name, 1) else f"<{name}{_few(match['attributes'])}>"

    def _is_too_deep(self, name: str, step: int) -> bool:
        if name in _FLAT:
            return False
        before, boxes = self._depth, _BOXES.get(name, 1)
        self._depth = max(0, before + step * boxes)
        return max(before, self._depth) > MAX_DEPTH

    def _style(self, match: re.Match[str]) -> str:
        media = _MEDIA.search(match["raw_attributes"])
        css = match["content"]
        if media:
            css = f"@media {next(filter(None, media.groups()), 'all')} {{{css}}}"
        self._css += len(css)
        return f"<style>{harmless(css)}</style>" if self._css <= MAX_CSS else ""


def _few(attributes: str) -> str:
    """The attributes unchanged, or none if there are absurdly many."""
    return attributes if len(_QUOTED.sub("", attributes).split()) <= _MAX_ATTRIBUTES else ""
