"""Uploads far over the limit, from clients that send on and on."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

OFFERED = 400 * 2**20
"""Bytes that each would send if it were let."""
_BLOCK = bytes(64 * 2**10)
_BEGIN = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-'


@dataclass(frozen=True, slots=True)
class Refusal:
    """What became of an upload: the status of the answer, None where the connection was cut before it was heard, and
    how many bytes had left until then."""

    status: int | None
    sent: int


async def upload_too_much(url: str, key: str, *, announced: bool) -> Refusal:
    """Send OFFERED bytes to the service at `url` until there is an answer; with their length `announced`, or in
    chunks."""
    target = urlsplit(url)
    reading, writing = await asyncio.open_connection(target.hostname, target.port)
    answer, sent = asyncio.create_task(reading.read(12)), 0
    with suppress(ConnectionError):
        writing.write(_head(target.path, key, announced))
        writing.write(_part(_BEGIN, announced))
        while not answer.done() and sent < OFFERED:
            writing.write(_part(_BLOCK, announced))
            await writing.drain()
            sent += len(_BLOCK)
    (response,) = await asyncio.gather(answer, return_exceptions=True)
    writing.close()
    return Refusal(int(response[9:12]) if isinstance(response, bytes) and response else None, sent)


def _head(path: str, key: str, announced: bool) -> bytes:
    lines = [
        f"POST {path}/v1/invoices HTTP/1.1",
        "Host: service",
        f"Authorization: Bearer {key}",
        "Content-Type: multipart/form-data; boundary=b",
        f"Content-Length: {OFFERED}" if announced else "Transfer-Encoding: chunked",
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def _part(data: bytes, announced: bool) -> bytes:
    return data if announced else b"%x\r\n%s\r\n" % (len(data), data)
