"""Documents as responses that a browser saves."""

import hashlib
from urllib.parse import quote

from fastapi import Request
from starlette.responses import Response

from serve_app.http.ranges import requested_range
from serve_app.services.files.links import Download
from serve_app.system.thread_pools import HASHING

_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer"}


async def attachment(request: Request, download: Download) -> Response:
    """The response that saves a document, or the range of it that the request wants; it is never shown, because it may
    be HTML. Raises RangeNotSatisfiable."""
    data = download.data
    tag = f'"{(await HASHING.run(hashlib.sha256, data)).hexdigest()[:32]}"'
    headers = {**_HEADERS, **_disposition(download), "ETag": tag, "Accept-Ranges": "bytes"}
    part = requested_range(request.headers, tag, len(data))
    if part is None:
        return Response(data, media_type=download.mime_type, headers=headers)
    headers["Content-Range"] = part.content_range
    return Response(data[part.first : part.last + 1], 206, headers, download.mime_type)


def whole_attachment(download: Download) -> Response:
    """The response that saves a small document, whatever range the request wants; it is never shown."""
    return Response(download.data, media_type=download.mime_type, headers={**_HEADERS, **_disposition(download)})


def _disposition(download: Download) -> dict[str, str]:
    name = download.name
    value = f"attachment; filename=\"{_ascii(name)}\"; filename*=UTF-8''{quote(name, safe='')}"
    return {"Content-Disposition": value}


def _ascii(name: str) -> str:
    """The name for clients that do not support RFC 6266's `filename*`."""
    return "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else "_" for c in name)
