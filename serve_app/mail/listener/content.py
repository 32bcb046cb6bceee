"""The bytes of a mail, as they follow DATA (RFC 5321, section 4.5.2)."""

import asyncio
from collections.abc import Awaitable, Callable

from serve_app.system.thread_pools import decoding_pool

END = b"\r\n.\r\n"
LARGE_BYTES = 2**20
_LONGEST_START = 1000
"""Of the blank lines and dots that a mail may begin with."""


class NoMail(Exception):
    """What follows DATA is no mail."""


async def read_content(
    reader: asyncio.StreamReader, max_bytes: int, on_large: Callable[[], Awaitable[object]]
) -> bytes | None:
    """The mail, up to the line with a lone dot; None if it is larger than `max_bytes`, of which no more is kept in
    memory. Bytes after the end stay with the reader. `on_large` is awaited once, before more than LARGE_BYTES are read.
    Raises NoMail, and IncompleteReadError if the connection ends.

    aiosmtpd reads line by line, which keeps the event loop busy for over a second with a large mail.
    """
    chunks = [await _start(reader)]
    size = len(chunks[0])
    is_over, is_large = chunks[0].endswith(END), False
    while not is_over:
        if size > LARGE_BYTES and not is_large:
            is_large = True
            await on_large()
        try:
            chunk = await reader.readuntil(END)
            is_over = True
        except asyncio.LimitOverrunError as error:
            # So much precedes the end, wherever that is.
            chunk = await reader.readexactly(error.consumed)
        size += len(chunk)
        if size > max_bytes + len(END):
            chunks.clear()
        else:
            chunks.append(chunk)
    return await decoding_pool(size).run(_joined, chunks) if size <= max_bytes + len(END) else None


async def _start(reader: asyncio.StreamReader) -> bytes:
    """The first bytes, after the line break that precedes them; those that follow contain the end as a whole."""
    start = b"\r\n"
    while start[-1:] in END and not start.endswith(END):
        if len(start) > _LONGEST_START:
            raise NoMail
        start += await reader.readexactly(1)
    return start


def _joined(chunks: list[bytes]) -> bytes:
    """Without the line break before the first line and the dot at the end; lines that began with a dot had got one
    more."""
    content = b"".join(chunks)
    chunks.clear()
    return content.removesuffix(b".\r\n").replace(b"\r\n.", b"\r\n")[2:]
