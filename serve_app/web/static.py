"""Scripts, styles and icons. Their addresses contain a digest of all of them, so that browsers may keep them for ever
and a new version of the service never meets old ones."""

import hashlib
import mimetypes
from functools import cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from serve_app.web.icons import sprite

_ROOT = Path(__file__).parent
_KINDS = (".js", ".css", ".svg")
_STYLES = "app.css"
_ICONS = "icons.svg"
# The order of the cascade layers; a style sheet names the layer that it belongs to.
_LAYERS = "@layer reset, tokens, base, parts, pages;\n"
_FOREVER = "public, max-age=31536000, immutable"


@cache
def _assets() -> dict[str, bytes]:
    """The contents of all static files by their path below this package."""
    files = sorted(path for path in _ROOT.rglob("*") if path.suffix in _KINDS)
    assets = {path.relative_to(_ROOT).as_posix(): path.read_bytes() for path in files}
    sheets = [assets.pop(name).decode() for name in list(assets) if name.endswith(".css")]
    assets[_STYLES] = (_LAYERS + "\n".join(sheets)).encode()
    assets[_ICONS] = sprite().encode()
    return assets


@cache
def digest() -> str:
    """A digest of all static files."""
    hashed = hashlib.sha256()
    for name, content in sorted(_assets().items()):
        hashed.update(name.encode() + b"\0" + content)
    return hashed.hexdigest()[:16]


def static_path(name: str) -> str:
    """The path of a static file below the application. Raises KeyError if there is no such file."""
    if name not in _assets():
        raise KeyError(name)
    return f"/app/static/{digest()}/{name}"


async def static_files(scope: Scope, receive: Receive, send: Send) -> None:
    """An ASGI application that serves the static files."""
    # Starlette keeps the path of the mount in `path`.
    _, _, name = str(scope["path"]).partition("/static/")[2].partition("/")
    content = _assets().get(name)
    if scope["method"] not in ("GET", "HEAD") or content is None:
        raise HTTPException(404)
    await _response(name, content, Headers(scope=scope))(scope, receive, send)


def _response(name: str, content: bytes, headers: Headers) -> Response:
    kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0]
    common = {"Cache-Control": _FOREVER, "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff"}
    if "gzip" in headers.get("accept-encoding", ""):
        return Response(_packed(name), headers=common | {"Content-Encoding": "gzip"}, media_type=kind)
    return Response(content, headers=common, media_type=kind)


@cache
def _packed(name: str) -> bytes:
    import gzip

    return gzip.compress(_assets()[name], 9, mtime=0)
