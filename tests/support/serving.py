"""A server on a real socket, with the protocol of Serve's proxy, and clients that are slow on purpose."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import ClassVar

import uvicorn
from starlette.types import ASGIApp

from actors.http_protocol import AnyVerbProtocol
from actors.pace import ConnectionLimits
from actors.peers import Peers
from serve_app.net.addresses import Access, parse_networks
from tests.support.until import until

Answer = tuple[int, dict[str, str], dict[str, dict[str, str]]]
HEAD = b"POST /v1/invoices HTTP/1.1\r\nHost: service\r\n"


def quick_protocol(*, connections: int = 1000, exempt: str = "") -> type[AnyVerbProtocol]:
    """The protocol with short deadlines, and this limit of connections for each peer."""

    class Quick(AnyVerbProtocol):
        limits = ConnectionLimits(head_seconds=0.5, grace_seconds=0.5, bytes_a_second=50_000.0, tick_seconds=0.05)
        peers = Peers(connections, Access(parse_networks(exempt), to_public=False))

    return Quick


@asynccontextmanager
async def serving(app: ASGIApp, port: int, protocol: type[AnyVerbProtocol]) -> AsyncIterator[int]:
    """Serve at the port of this machine."""
    config = uvicorn.Config(app, http=protocol, port=port, log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    try:
        yield port
    finally:
        Client.close_all()
        server.should_exit = True
        await task


class Client:
    """One connection, which ends with the server's test."""

    opened: ClassVar[list["Client"]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self._writer = writer
        self.opened.append(self)

    @classmethod
    async def connect(cls, port: int, sends: bytes = b"") -> "Client":
        """Connect, and send this."""
        client = cls(*await asyncio.open_connection("127.0.0.1", port))
        await client.send(sends)
        return client

    async def send(self, data: bytes) -> None:
        """Send; what was closed on the other side is not told here."""
        with suppress(ConnectionError):
            self._writer.write(data)
            await self._writer.drain()

    async def answer(self, within: float = 5) -> Answer:
        """Status, headers and JSON of the next answer."""
        async with asyncio.timeout(within):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
            status, *lines = head.strip().split("\r\n")
            headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
            body = await self.reader.readexactly(int(headers["content-length"]))
        return int(status.split()[1]), headers, json.loads(body)

    async def rest(self, within: float = 5) -> bytes:
        """Everything until the server closes the connection."""
        data = b""
        async with asyncio.timeout(within):
            with suppress(ConnectionError):
                while more := await self.reader.read(65_536):
                    data += more
        return data

    def close(self) -> None:
        self._writer.close()

    @classmethod
    def close_all(cls) -> None:
        """Close what this test opened."""
        for client in cls.opened:
            client.close()
        cls.opened.clear()
