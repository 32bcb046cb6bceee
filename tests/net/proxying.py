"""A small forward proxy on 127.0.0.1, which leads every tunnel to a server of the tests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from serve_app.net.proxy import Proxy, parse_proxy
from tests.net.listening import listening


@dataclass
class Seen:
    """What a running proxy was asked."""

    port: int = 0
    heads: list[str] = field(default_factory=list)

    def proxy(self, login: str = "", host: str = "127.0.0.1") -> Proxy:
        return parse_proxy(f"http://{login}{host}:{self.port}")

    @property
    def targets(self) -> list[str]:
        """What it was asked to connect to."""
        return [head.split()[1] for head in self.heads]


@asynccontextmanager
async def proxying(to_port: int, refusal: str = "") -> AsyncIterator[Seen]:
    """A proxy that connects to this port, whatever it is asked; or answers with the status in `refusal`."""
    seen = Seen()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _serve(seen, to_port, refusal, reader, writer)

    async with listening(handle) as seen.port:
        yield seen


async def _serve(
    seen: Seen, to_port: int, refusal: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    try:
        seen.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        if refusal:
            writer.write(f"HTTP/1.1 {refusal}\r\nContent-Length: 0\r\n\r\n".encode())
            await writer.drain()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", to_port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            await asyncio.gather(_pipe(reader, far_writer), _pipe(far_reader, writer))
        finally:
            far_writer.close()
    finally:
        writer.close()


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()
