"""What an HTML file may load: only what it embeds."""

import binascii
from base64 import b64decode
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from PIL import Image
from weasyprint.urls import URLFetcher, URLFetcherResponse

from serve_app.documents.html.css import harmless


class RefusedError(ValueError):
    """A resource that is not loaded."""


class OwnResources(URLFetcher):  # type: ignore[misc]
    """Serves `data:` URLs; every other address counts as missing, and nothing is ever opened.

    Only the size of pictures matters: each is replaced by an empty one of the same size, so that none is ever decoded.
    """

    def __init__(self) -> None:
        super().__init__(allowed_protocols=())

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
        """Raise RefusedError for anything but a picture or a style sheet in a `data:` URL."""
        mime_type, body = data_url(url)
        if mime_type == "text/css":
            css = harmless(body.decode("utf-8", "replace"))
            return URLFetcherResponse("data:,", css.encode(), {"Content-Type": "text/css; charset=utf-8"})
        if mime_type.startswith("image/") and "svg" not in mime_type:
            width, height = _size(body)
            svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"/>'
            return URLFetcherResponse("data:,", svg.encode(), {"Content-Type": "image/svg+xml"})
        raise RefusedError("neither picture nor style sheet")


def data_url(url: str) -> tuple[str, bytes]:
    """Media type and content of a `data:` URL (RFC 2397); raise RefusedError for any other."""
    head, comma, content = url.partition(",")
    if not comma or head[:5].lower() != "data:":
        raise RefusedError("not in the file itself")
    mime_type, *parameters = head[5:].lower().split(";")
    body = unquote_to_bytes(content)
    try:
        return mime_type.strip(), b64decode(body) if "base64" in map(str.strip, parameters) else body
    except binascii.Error as error:
        raise RefusedError("broken base64") from error


def _size(picture: bytes) -> tuple[int, int]:
    """Width and height from the picture's header alone."""
    try:
        with Image.open(BytesIO(picture)) as image:
            return image.size
    except Exception as error:  # Pillow's many formats can raise anything.
        raise RefusedError("broken picture") from error
