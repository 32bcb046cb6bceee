"""Responses whose JSON already exists as text, and pictures. A GET of either gets an ETag."""

import gzip
import hashlib
import re
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from serve_app.http.caching import PRIVATE
from serve_app.system.thread_pools import WRITING_OUT

LARGE = 4096
"""From this size on, in bytes, an answer is compressed for callers that accept it."""
_TAG = re.compile(r'(?:W/)?("[^"]*")')
_GZIP = re.compile(r"(?:x-)?gzip\s*(?:;\s*q\s*=\s*([0-9.]+))?", re.IGNORECASE)


class JsonAnswer(Response):
    """A JSON response. A GET gets an ETag; one whose `If-None-Match` names that tag gets 304."""

    media_type = "application/json"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope)
        if len(self.body) >= LARGE:
            self.headers["Vary"] = "Accept-Encoding"
        if scope["method"] == "GET" and self.status_code == 200:
            # A weak tag: it is the same for the compressed answer.
            tag = _tag(self)
            self.headers["ETag"] = f"W/{tag}"
            if _names(asked.get("if-none-match", ""), tag):
                await _unchanged(self)(scope, receive, send)
                return
        if len(self.body) >= LARGE and _accepts_gzip(asked.get("accept-encoding", "")):
            # At the fastest level: the slower ones hardly make JSON any smaller.
            self.body = await WRITING_OUT.run(gzip.compress, self.body, 1)
            self.headers["Content-Encoding"] = "gzip"
            self.headers["Content-Length"] = str(len(self.body))
        await super().__call__(scope, receive, send)


class PictureAnswer(Response):
    """A picture of a page (JPEG). Browsers may keep it, and ask each time whether they may still show it: the person
    may have signed out, or been removed. If the caller has it already, the answer is 304."""

    media_type = "image/jpeg"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        tag = _tag(self)
        self.headers.update({"Cache-Control": PRIVATE, "ETag": tag})
        if _names(Headers(scope=scope).get("if-none-match", ""), tag):
            await _unchanged(self)(scope, receive, send)
            return
        await super().__call__(scope, receive, send)


def json_answer(body: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A response with this JSON."""
    return JsonAnswer(body, status, headers)


def list_answer(items: Sequence[str], has_more: bool | None = None) -> Response:
    """The list envelope around these JSON texts; `has_more` is omitted if it is None."""
    more = "" if has_more is None else f',"has_more":{str(has_more).lower()}'
    return json_answer(f'{{"object":"list","data":[{",".join(items)}]{more}}}')


def _tag(answer: Response) -> str:
    return f'"{hashlib.sha256(answer.body).hexdigest()[:32]}"'


def _unchanged(answer: Response) -> Response:
    kept = ("Cache-Control", "ETag", "Vary")
    return Response(status_code=304, headers={name: answer.headers[name] for name in kept if name in answer.headers})


def _names(if_none_match: str, tag: str) -> bool:
    """Whether the header names the tag, or any (RFC 9110, 13.1.2)."""
    return if_none_match.strip() == "*" or tag in _TAG.findall(if_none_match)


def _accepts_gzip(accept_encoding: str) -> bool:
    """Whether the header names gzip, and not with a weight of 0 (RFC 9110, 12.5.3)."""
    found = [match for part in accept_encoding.split(",") if (match := _GZIP.fullmatch(part.strip()))]
    return any(match[1] is None or match[1].strip("0.") for match in found)
