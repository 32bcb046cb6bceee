"""The guard in front of Serve's proxy."""

import json
from collections.abc import Iterable

import pytest
from starlette.types import Message, Receive, Scope, Send

from actors import proxy
from actors.proxy import MAX_BODY_BYTES, ProxyGuard

Headers = list[tuple[bytes, bytes]]


class Inner:
    """Stands for Serve: reads the whole body, keeps what it saw, answers."""

    def __init__(self) -> None:
        self.headers: Headers = []
        self.received = 0
        self.left = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.headers = scope["headers"]
        more = True
        while more:
            message = await receive()
            self.left = message["type"] == "http.disconnect"
            self.received += len(message.get("body", b""))
            more = message.get("more_body", False)
        ids = [(b"x-request-id", b"ours"), (b"X-Request-ID", b"serves")]
        await send({"type": "http.response.start", "status": 200, "headers": ids})
        await send({"type": "http.response.body", "body": b"ok"})


async def exchange(inner: Inner, headers: Headers, chunks: Iterable[bytes] = (b"",)) -> list[Message]:
    """What the guard sends for a request."""
    parts = list(chunks)
    messages = [
        {"type": "http.request", "body": part, "more_body": number + 1 < len(parts)}
        for number, part in enumerate(parts)
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return messages.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    await ProxyGuard(inner)({"type": "http", "headers": headers}, receive, send)
    return sent


@pytest.mark.parametrize(
    "name",
    [
        b"x-request-timeout-seconds",
        b"X-Request-Disconnect-Disabled",
        b"serve_multiplexed_model_id",
        b"serve-multiplexed-model-id",
    ],
)
async def test_headers_that_steer_serve_are_dropped(name: bytes) -> None:
    inner = Inner()
    await exchange(inner, [(name, b"1"), (b"accept", b"*/*")])
    assert inner.headers == [(b"accept", b"*/*")]


async def test_an_answer_has_one_request_id() -> None:
    start, _ = await exchange(Inner(), [])
    assert start["headers"] == [(b"x-request-id", b"ours")]


async def test_a_body_declared_too_large_is_refused_unread() -> None:
    inner = Inner()
    start, body = await exchange(inner, [(b"content-length", str(MAX_BODY_BYTES + 1).encode())])
    assert start["status"] == 413
    assert json.loads(body["body"])["error"]["code"] == "file_too_large"
    assert inner.received == 0


async def test_a_body_that_grows_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "MAX_BODY_BYTES", 10)
    inner = Inner()
    start, _ = await exchange(inner, [], [b"12345678", b"12345678", b"12345678"])
    assert start["status"] == 413
    assert inner.left
    assert inner.received <= 10


async def test_a_body_of_the_largest_size_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "MAX_BODY_BYTES", 10)
    start, _ = await exchange(Inner(), [(b"content-length", b"10")], [b"12345", b"12345"])
    assert start["status"] == 200


class Serves:
    """Stands for Serve answering by itself, since no replica did."""

    def __init__(self, status: int, content_type: bytes = b"text/plain; charset=utf-8") -> None:
        self._status = status
        self._content_type = content_type

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", self._content_type), (b"X-Request-ID", b"serves"), (b"content-length", b"2")]
        await send({"type": "http.response.start", "status": self._status, "headers": headers})
        await send({"type": "http.response.body", "body": b"no", "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def answer_of(app: Serves, path: str = "/v1/me") -> list[Message]:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        sent.append(message)

    await ProxyGuard(app)({"type": "http", "headers": [], "path": path}, receive, send)
    return sent


@pytest.mark.parametrize(
    ("status", "answered", "code"),
    [
        (500, 500, "internal"),
        (408, 500, "internal"),
        (503, 503, "service_unavailable"),
        (404, 503, "service_unavailable"),
    ],
)
async def test_errors_of_serve_itself_have_the_envelope(status: int, answered: int, code: str) -> None:
    start, body = await answer_of(Serves(status))
    headers = dict(start["headers"])
    assert (start["status"], headers[b"content-type"]) == (answered, b"application/json")
    assert (headers[b"x-request-id"], headers[b"content-length"]) == (b"serves", str(len(body["body"])).encode())
    assert (b"retry-after" in headers) == (answered == 503)
    assert json.loads(body["body"])["error"]["code"] == code


async def test_answers_of_the_application_and_of_serve_to_operators_stay_as_they_are() -> None:
    for sent in (
        await answer_of(Serves(500, b"application/json")),
        await answer_of(Serves(410, b"text/html; charset=utf-8")),
        await answer_of(Serves(200)),
        await answer_of(Serves(503), path="/-/healthz"),
    ):
        assert b"".join(part.get("body", b"") for part in sent) == b"no"
