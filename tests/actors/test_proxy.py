"""The guard in front of Serve's proxy."""

import asyncio
import json
from collections.abc import Iterable

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


async def exchange(
    inner: ASGIApp, headers: Headers, chunks: Iterable[bytes] = (b"",), path: str = "/v1/invoices"
) -> list[Message]:
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

    await ProxyGuard(inner)({"type": "http", "method": "POST", "path": path, "headers": headers}, receive, send)
    return sent


def error_in(sent: list[Message]) -> tuple[int, str, str]:
    """Status, code and request id of an error's answer, which is whole and in the envelope."""
    start, body = sent
    headers = dict(start["headers"])
    assert headers[b"content-type"] == b"application/json"
    assert headers[b"content-length"] == str(len(body["body"])).encode()
    return start["status"], json.loads(body["body"])["error"]["code"], headers[b"x-request-id"].decode()


@pytest.mark.parametrize(
    "name",
    [
        b"x-request-timeout-seconds",
        b"X-Request-Disconnect-Disabled",
        b"serve_multiplexed_model_id",
        b"serve-multiplexed-model-id",
        b"X-Session-Id",
        b"x_session_id",
    ],
)
async def test_headers_that_steer_serve_are_dropped(name: bytes) -> None:
    inner = Inner()
    await exchange(inner, [(name, b"1"), (b"accept", b"*/*")])
    assert inner.headers == [(b"accept", b"*/*")]


async def test_a_download_may_take_longer_than_other_requests() -> None:
    inner = Inner()
    await exchange(inner, [(b"x-request-timeout-seconds", b"0")], path="/app/export/file")
    assert inner.headers == [(b"x-request-timeout-seconds", b"3600")]


async def test_an_answer_has_one_request_id() -> None:
    start, _ = await exchange(Inner(), [])
    assert start["headers"] == [(b"x-request-id", b"ours")]


async def test_of_a_body_declared_too_large_the_application_gets_the_length_alone() -> None:
    """It looks at the key before it refuses the body."""
    inner = Inner()
    headers = [(b"content-length", str(MAX_BODY_BYTES + 1).encode())]

    async def unread() -> Message:
        raise AssertionError("the body was read")

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/v1/invoices", "headers": headers}
    await ProxyGuard(inner)(scope, unread, send)
    assert (inner.headers, inner.received, inner.left) == (headers, 0, False)
    assert (b"connection", b"close") in sent[0]["headers"]


async def test_a_body_that_grows_too_large_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "MAX_BODY_BYTES", 10)
    inner = Inner()
    # A third part is never read.
    start, _ = await exchange(inner, [], [b"12345678", b"12345678", b"12345678"])
    assert (inner.received, inner.left) == (16, False)
    assert (b"connection", b"close") in start["headers"]


async def test_after_a_body_was_cut_the_client_counts_as_there_until_it_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(proxy, "MAX_BODY_BYTES", 10)
    seen: list[str] = []

    async def listens(scope: Scope, receive: Receive, send: Send) -> None:
        """Like Serve, keeps listening while the application responds."""
        for _ in range(2):
            await receive()
        listening = asyncio.ensure_future(receive())
        await asyncio.sleep(0.01)
        seen.append("listening" if not listening.done() else "left")
        await send({"type": "http.response.start", "status": 413, "headers": []})
        await send({"type": "http.response.body", "body": b"no"})
        seen.append((await listening)["type"])

    # A second part would fail: there is none.
    await exchange(listens, [], [bytes(11)])
    assert seen == ["listening", "http.disconnect"]


async def test_a_body_of_the_largest_size_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "MAX_BODY_BYTES", 10)
    start, _ = await exchange(Inner(), [(b"content-length", b"10")], [b"12345", b"12345"])
    assert start["status"] == 200


async def test_an_endless_length_is_read_as_far_as_it_matters() -> None:
    start, _ = await exchange(Inner(), [(b"content-length", b"0" * 5000 + b"17")])
    assert (b"connection", b"close") not in start["headers"]
    start, _ = await exchange(Inner(), [(b"content-length", b"9" * 5000)])
    assert (b"connection", b"close") in start["headers"]


@pytest.mark.parametrize("id", [b"\xff", b"\xc3\xa4", b"", b"a b", b"x" * 129])
async def test_a_request_id_that_is_not_safe_never_reaches_serve(id: bytes) -> None:
    inner = Inner()
    await exchange(inner, [(b"X-Request-Id", id)])
    assert inner.headers == []
    await exchange(inner, [(b"x-request-id", b"order-7")])
    assert inner.headers == [(b"x-request-id", b"order-7")]


class Fails:
    """Stands for Serve failing, after the beginning of an answer or before."""

    def __init__(self, *, answers: bool = False, reads: bool = False) -> None:
        self._answers = answers
        self._reads = reads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._answers:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        if self._reads:
            await receive()
        raise RuntimeError("secret detail")


async def test_a_fault_of_serve_is_a_500_under_the_callers_request_id(caplog: pytest.LogCaptureFixture) -> None:
    sent = await exchange(Fails(), [(b"x-request-id", b"order-7")])
    assert error_in(sent) == (500, "internal", "order-7")
    assert b"secret" not in sent[1]["body"]
    assert "secret detail" in caplog.text


async def test_an_answer_that_has_begun_is_not_answered_again() -> None:
    with pytest.raises(RuntimeError):
        await exchange(Fails(answers=True), [])


@pytest.mark.parametrize("path", ["*", "/-/routes", "/-/routes/", "/-/", "/-/healthz/x", "/-/anything"])
async def test_what_serve_says_about_itself_and_what_is_no_path_is_unknown(path: str) -> None:
    inner = Inner()
    assert error_in(await exchange(inner, [(b"x-request-id", b"order-7")], path=path)) == (
        404,
        "route_not_found",
        "order-7",
    )
    assert inner.received == 0


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

    await ProxyGuard(app)({"type": "http", "method": "GET", "headers": [], "path": path}, receive, send)
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
