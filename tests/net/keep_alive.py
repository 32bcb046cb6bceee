"""A server on 127.0.0.1 that keeps connections as long as a test tells it."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.net.listening import listening

DONE = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
LEFT = b""


@dataclass
class KeepAliveServer:
    """`requests` of each connection, heads and bodies in one."""

    port: int = 0
    requests: list[list[bytes]] = field(default_factory=list)

    @property
    def counts(self) -> list[int]:
        return [len(requests) for requests in self.requests]

    @property
    def url(self) -> str:
        return f"http://hooks.example:{self.port}/"


@asynccontextmanager
async def keep_alive_server(*connections: Sequence[bytes], resets: bool = False) -> AsyncIterator[KeepAliveServer]:
    """Each connection, in the order in which they come, gives its answers in turn and ends after the last; `LEFT`
    answers nothing. With `resets` they end hard."""
    server = KeepAliveServer()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests: list[bytes] = []
        server.requests.append(requests)
        answers = connections[len(server.requests) - 1]
        await _serve(answers, requests, reader, writer, resets=resets)

    async with listening(handle) as server.port:
        yield server


async def _serve(
    answers: Sequence[bytes],
    requests: list[bytes],
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    *,
    resets: bool,
) -> None:
    try:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            for answer in answers:
                requests.append(await reader.readuntil(b"\r\n\r\n") + await reader.readexactly(2))
                writer.write(answer)
                await writer.drain()
        if resets:
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
