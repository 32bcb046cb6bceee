"""A server that speaks OpenAI's chat protocol, and misbehaves in as many ways as real ones."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from models.chat.answers import HEADER, LINES, SUMS

NOTHING: dict[str, Any] = {**dict.fromkeys(HEADER), LINES: [], **dict.fromkeys(SUMS)}
TRIAL = {"invoice_number": "4711", "total": "1,190.00"}


def written(values: Mapping[str, Any]) -> str:
    """What a good model writes."""
    return json.dumps(NOTHING | dict(values), ensure_ascii=False)


def completion(text: Any, *, reason: str = "stop", probability: float | None = None) -> bytes:
    """The body of a chat completion, with tokens of three letters if they have a probability."""
    choice: dict[str, Any] = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}
    if probability is not None:
        tokens = [text[start : start + 3] for start in range(0, len(text), 3)]
        choice["logprobs"] = {"content": [{"token": token, "logprob": probability} for token in tokens]}
    return json.dumps({"object": "chat.completion", "choices": [choice]}).encode()


@dataclass
class Script:
    """How the server answers each request, and what it was asked. A behaviour writes to the handler itself."""

    behave: Callable[[BaseHTTPRequestHandler, int], None]
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)

    def texts(self) -> list[str]:
        """The words that were sent, one text a request."""
        return [
            part["text"] for body in self.asked for part in body["messages"][1]["content"] if part["type"] == "text"
        ]


def answers(body: bytes, status: int = 200, **headers: str) -> Callable[[BaseHTTPRequestHandler, int], None]:
    def behave(handler: BaseHTTPRequestHandler, _: int) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return behave


def in_turn(
    *behaviours: Callable[[BaseHTTPRequestHandler, int], None],
) -> Callable[[BaseHTTPRequestHandler, int], None]:
    """Another behaviour each time; the last one from then on."""
    return lambda handler, number: behaviours[min(number, len(behaviours) - 1)](handler, number)


def stalls(handler: BaseHTTPRequestHandler, _: int) -> None:
    """Says nothing until the other side has gone."""
    handler.connection.settimeout(5)
    with suppress(OSError):
        handler.connection.recv(1)


def drips(handler: BaseHTTPRequestHandler, _: int) -> None:
    """Sends a byte now and then."""
    handler.send_response(200)
    handler.end_headers()
    with suppress(OSError):
        for _step in range(100):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)


def hangs_up(handler: BaseHTTPRequestHandler, _: int) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)


def breaks_off(handler: BaseHTTPRequestHandler, _: int) -> None:
    """Promises more than it sends."""
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(completion(written(TRIAL))[:80])


def floods(handler: BaseHTTPRequestHandler, _: int) -> None:
    """Sends without end."""
    handler.send_response(200)
    handler.end_headers()
    with suppress(OSError):
        while True:
            handler.wfile.write(b"x" * 65536)


@contextmanager
def serving(script: Script) -> Iterator[str]:
    """The address of the server, as the configuration has it."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.close_connection = True
            length = int(self.headers["Content-Length"])
            script.asked.append(json.loads(self.rfile.read(length)))
            script.headers.append(dict(self.headers))
            script.behave(self, len(script.asked) - 1)

        def log_message(self, format: str, *args: Any) -> None: ...

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None: ...

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.shutdown()
