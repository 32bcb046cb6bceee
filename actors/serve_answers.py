"""Responses of the proxy itself, and replacements for Serve's own error responses."""

import json
from http import HTTPStatus

from starlette.types import Message

from serve_app.domain.errors import ServiceError, Unavailable
from serve_app.http.error_table import answer_to
from serve_app.http.errors import InternalError

# No replica took the request: all were full, or none is known yet after a start. A 404 from Serve can only mean the
# latter, because the application handles every path.
_NOBODY = (404, 503)


def replacement(start: Message) -> list[Message] | None:
    """The replacement for a response that begins with `start`; None if that is not an error from Serve. Serve's errors
    are plain text, whereas the application responds only with JSON and pages."""
    if start["status"] < 400 or not _header(start, b"content-type").startswith(b"text/plain"):
        return None
    return answer_of(_error(start["status"]), _header(start, b"x-request-id"))


def answer_of(error: ServiceError, request_id: bytes, *, closes: bool = False) -> list[Message]:
    """The response for an error; `closes` the connection if the rest of the request is not read."""
    answer = answer_to(error)
    body = json.dumps(answer.envelope).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *((name.lower().encode(), value.encode()) for name, value in answer.headers.items()),
        *([(b"x-request-id", request_id)] if request_id else []),
        *([(b"connection", b"close")] if closes else []),
    ]
    return [
        {"type": "http.response.start", "status": answer.status, "headers": headers},
        {"type": "http.response.body", "body": body},
    ]


def http_answer(error: ServiceError, request_id: bytes = b"") -> bytes:
    """The same response as it is sent over the network, before the connection is closed."""
    start, body = answer_of(error, request_id, closes=True)
    status = HTTPStatus(start["status"])
    lines = [f"HTTP/1.1 {status} {status.phrase}".encode(), *(b": ".join(header) for header in start["headers"])]
    answer: bytes = b"\r\n".join([*lines, b"", body["body"]])
    return answer


def _error(status: int) -> ServiceError:
    return Unavailable() if status in _NOBODY else InternalError()


def _header(start: Message, name: bytes) -> bytes:
    found: bytes = next((value for key, value in start["headers"] if key.lower() == name), b"")
    return found
