"""Posting to a URL from an untrusted user."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from aiohttp import ClientConnectionError, ClientError, ClientResponse, ClientSession
from yarl import URL

from serve_app.net.exchange import Exchange
from serve_app.net.guard import Guard
from serve_app.net.outcome import BadUrl, Unreachable, too_long
from serve_app.net.reasons import reason_of

_KEPT_BYTES = 2048
_MOST_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a post. `status` is None if no complete response arrived; `error` says why. `body` is the
    beginning of the response body, at most 2 kB. `seconds` is how long the post took."""

    seconds: float
    status: int | None = None
    error: str | None = None
    body: str | None = None


class Line(Protocol):
    """A channel for posts to one URL."""

    async def post(self, headers: Mapping[str, str], body: bytes) -> Answer:
        """Post, and report any failure as an Answer. Redirects are not followed."""
        ...


class HttpPoster:
    """Posts within `seconds`, measured from the host lookup to the end of the response. It keeps at most 2 kB of the
    response body, and accepts at most 64 kB from the server in all: a longer response is a failure.

    If the server has closed a kept-alive connection, the post is retried once on a new connection. The first post may
    also have arrived, so callers must expect duplicates."""

    def __init__(self, guard: Guard, seconds: float = 10.0) -> None:
        self._guard = guard
        self._seconds = seconds

    @asynccontextmanager
    async def open(self, text: str) -> AsyncIterator[Line]:
        """A line to a URL. Its connections are kept alive between posts, and closed when the context exits."""
        try:
            url = self._guard.url(text)
        except BadUrl as error:
            yield _DeadLine(_refused(error))
        except Unreachable as error:
            yield _DeadLine(error.reason)
        else:
            async with self._guard.session(url, keep_alive=True) as session:
                yield _LiveLine(session, url, self._seconds)


class _DeadLine:
    """A line to a refused URL: every post fails."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    async def post(self, headers: Mapping[str, str], body: bytes) -> Answer:
        return Answer(0.0, error=self._reason)


class _LiveLine:
    def __init__(self, session: ClientSession, url: URL, seconds: float) -> None:
        self._session = session
        self._url = url
        self._seconds = seconds

    async def post(self, headers: Mapping[str, str], body: bytes) -> Answer:
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._seconds):
                status, beginning = await self._exchange(headers, body)
        except TimeoutError:
            return Answer(time.monotonic() - began, error=f"no answer within {self._seconds:g} s")
        except Unreachable as error:
            return Answer(time.monotonic() - began, error=error.reason)
        except BadUrl as error:
            return Answer(time.monotonic() - began, error=_refused(error))
        except (ClientError, OSError, ValueError) as error:
            return Answer(time.monotonic() - began, error=reason_of(error))
        return Answer(time.monotonic() - began, status, body=beginning)

    async def _exchange(self, headers: Mapping[str, str], body: bytes) -> tuple[int, str]:
        try:
            async with Exchange(_MOST_BYTES) as exchange:
                return await self._send(exchange, headers, body)
        except ClientConnectionError:
            if not exchange.met_closed_connection:
                raise
        async with Exchange(_MOST_BYTES, again=True) as exchange:
            return await self._send(exchange, headers, body)

    async def _send(self, exchange: Exchange, headers: Mapping[str, str], body: bytes) -> tuple[int, str]:
        async with self._session.post(self._url, data=body, headers=headers, allow_redirects=False) as response:
            beginning = await _beginning(response)
            if exchange.is_over:
                # Without a declared length, closing the connection looks like the response's end.
                raise too_long()
            return response.status, beginning


def _refused(error: BadUrl) -> str:
    return f"the URL {error.reason}"


async def _beginning(response: ClientResponse) -> str:
    data = bytearray()
    # To the end: a response that is too long, or breaks off, is none.
    async for chunk in response.content.iter_any():
        data += chunk[: _KEPT_BYTES - len(data)]
    # Stores differ in how they treat NUL characters in text.
    return data.decode("utf-8", errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
