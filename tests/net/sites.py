"""Small servers on 127.0.0.1 that answer as a test tells them."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.net.listening import listening

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Site:
    """What a running server saw: the heads of the requests, and whether a caller went away before the answer's end."""

    port: int = 0
    connections: int = 0
    requests: list[str] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    abandoned: asyncio.Event = field(default_factory=asyncio.Event)

    def url(self, path: str = "/a.pdf", scheme: str = "https", host: str = "files.example") -> str:
        return f"{scheme}://{host}:{self.port}{path}"


@asynccontextmanager
async def serving(*answers: Answer, tls: ssl.SSLContext | None = None) -> AsyncIterator[Site]:
    """A server that gives the answers in turn, and the last one for ever."""
    site = Site()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _exchange(site, answers, reader, writer)

    async with listening(handle, tls) as site.port:
        yield site


async def _exchange(
    site: Site, answers: tuple[Answer, ...], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    site.connections += 1
    try:
        with suppress(ConnectionError, ssl.SSLError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            site.requests.append(head.decode())
            site.asked.set()
            gone = asyncio.ensure_future(_watch(site, reader))
            try:
                await answers[min(len(site.requests), len(answers)) - 1](writer)
                await writer.drain()
            finally:
                gone.cancel()
    finally:
        writer.close()
        with suppress(ConnectionError, ssl.SSLError):
            await writer.wait_closed()


async def _watch(site: Site, reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionError, ssl.SSLError):
        await reader.read()
    site.abandoned.set()


def raw(data: bytes) -> Answer:
    """Exactly these bytes, then the end of the connection."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(data)

    return answer


def reply(body: bytes = b"", status: str = "200 OK", **headers: str) -> Answer:
    """A well-formed response; underscores in header names stand for hyphens."""
    lines = {"Content-Length": str(len(body)), **{name.replace("_", "-"): text for name, text in headers.items()}}
    head = "".join(f"{name}: {text}\r\n" for name, text in lines.items())
    return raw(f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body)


def redirect(location: str) -> Answer:
    return reply(status="302 Found", Location=location)


def endless(head: bytes, piece: bytes) -> Answer:
    """A head, then the same piece for ever."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(piece)
            await writer.drain()

    return answer


def silent_after(data: bytes = b"") -> Answer:
    """Some bytes, then nothing more, and no end either."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await asyncio.Event().wait()

    return answer
