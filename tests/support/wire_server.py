"""A MongoDB server process to stop and kill: it speaks the protocol's handshake, and stores nothing.

Every find is answered with nothing, every command with `ok`: enough for what a driver does about time.
"""

import socketserver
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import bson

_HEADER = struct.Struct("<iiii")
_REPLY, _QUERY, _MSG = 1, 2004, 2013


@contextmanager
def wire_server(seconds_ahead: float = 0) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """The process, and its URL; it is gone afterwards, even if it was stopped. Its clock may be wrong."""
    command = [sys.executable, __file__, str(seconds_ahead)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, f"mongodb://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def _answer(command: dict[str, Any]) -> dict[str, Any]:
    name = next(iter(command))
    if name.lower() in {"hello", "ismaster"}:
        limits = {"maxWireVersion": 21, "minWireVersion": 0, "maxBsonObjectSize": 16 << 20}
        role = {"isWritablePrimary": True, "ismaster": True, "helloOk": True, "localTime": _now()}
        return {**limits, **role, "ok": 1}
    if name in {"find", "aggregate", "listIndexes"}:
        return {"cursor": {"id": bson.Int64(0), "ns": f"{command['$db']}.{command[name]}", "firstBatch": []}, "ok": 1}
    return {"n": 0, "ok": 1}


def _now() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=float(sys.argv[1]))


class _Connection(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        while header := self.rfile.read(_HEADER.size):
            length, number, _, kind = _HEADER.unpack(header)
            body = self.rfile.read(length - _HEADER.size)
            if kind == _QUERY:
                # Flags, the collection's name, two numbers, the command; only for a connection's first `hello`.
                answer = bson.encode(_answer(bson.decode(body[body.index(0, 4) + 9 :])))
                self._send(number, _REPLY, struct.pack("<iqii", 0, 0, 0, 1) + answer)
            elif kind == _MSG:
                size = struct.unpack_from("<i", body, 5)[0]
                answer = bson.encode(_answer(bson.decode(body[5 : 5 + size])))
                self._send(number, _MSG, struct.pack("<IB", 0, 0) + answer)

    def _send(self, number: int, kind: int, body: bytes) -> None:
        self.wfile.write(_HEADER.pack(_HEADER.size + len(body), 0, number, kind) + body)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 256


if __name__ == "__main__":
    with _Server(("127.0.0.1", 0), _Connection) as server:
        sys.stdout.write(f"{server.server_address[1]}\n")
        sys.stdout.flush()
        server.serve_forever()
