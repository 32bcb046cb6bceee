"""Fetching a file from a URL from an untrusted user."""

import asyncio

from aiohttp import ClientError, ClientResponse
from yarl import URL

from serve_app.net.exchange import Exchange
from serve_app.net.guard import Guard
from serve_app.net.inflate import STEP_BYTES, Inflater
from serve_app.net.names import file_name
from serve_app.net.outcome import BadUrl, Fetched, TooLarge, Unreachable
from serve_app.net.reasons import reason_of
from serve_app.system.thread_pools import DECODING

_OK = 200
# Allowed for a response's headers and chunk framing, in addition to twice the size of the file.
_AROUND_BYTES = 65_536
_REDIRECTS = (301, 302, 303, 307, 308)
_MAX_REDIRECTS = 3
_GZIP = ("gzip", "x-gzip")
_COMPRESSED = ("deflate", "br", "zstd", "compress", "x-compress")


class Fetcher:
    """Fetches files within `seconds`, measured from the first lookup to the last byte, redirects included."""

    def __init__(self, guard: Guard, seconds: float = 20.0) -> None:
        self._guard = guard
        self._seconds = seconds

    async def __call__(self, text: str, max_bytes: int) -> Fetched:
        """The file at a URL. Raises BadUrl, Unreachable or TooLarge."""
        url = self._guard.url(text)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._follow(url, max_bytes)
        except TimeoutError:
            raise Unreachable(f"it took longer than {self._seconds:g} s") from None
        except (ClientError, OSError, ValueError) as error:
            raise Unreachable(reason_of(error)) from None

    async def _follow(self, url: URL, max_bytes: int) -> Fetched:
        for _ in range(1 + _MAX_REDIRECTS):
            answer = await self._get(url, max_bytes)
            if isinstance(answer, Fetched):
                return answer
            url = answer
        raise Unreachable(f"it redirects more than {_MAX_REDIRECTS} times")

    async def _get(self, url: URL, max_bytes: int) -> Fetched | URL:
        """The file, or the URL to which the server redirects."""
        async with (
            Exchange(2 * max_bytes + _AROUND_BYTES),
            self._guard.session(url) as session,
            session.get(url, allow_redirects=False) as response,
        ):
            if response.status in _REDIRECTS:
                return self._next(url, response.headers.get("Location"))
            if response.status != _OK:
                raise Unreachable(f"the server answered with status {response.status}")
            name = file_name(url, response.headers.get("Content-Disposition"))
            return Fetched(await _body(response, max_bytes), name, response.content_type)

    def _next(self, url: URL, location: str | None) -> URL:
        if location is None:
            raise Unreachable("the redirect has no target")
        try:
            return self._guard.url(location, base=url)
        except BadUrl as error:
            raise Unreachable(f"it redirects to a URL that {error.reason}") from None


async def _body(response: ClientResponse, max_bytes: int) -> bytes:
    """Counts bytes as they arrive, because the declared length may be false. The request asks for no compression. Some
    servers send gzip all the same, which is read up to the same limit; anything else is refused."""
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding in _COMPRESSED:
        raise Unreachable("the server sends compressed data although it should not")
    if (response.content_length or 0) > max_bytes:
        raise TooLarge
    return await (_inflated if encoding in _GZIP else _plain)(response, max_bytes)


async def _plain(response: ClientResponse, max_bytes: int) -> bytes:
    data = bytearray()
    async for chunk in response.content.iter_any():
        data += chunk
        if len(data) > max_bytes:
            raise TooLarge
    return bytes(data)


async def _inflated(response: ClientResponse, max_bytes: int) -> bytes:
    """In steps of bounded time, so that the deadline of the fetch ends it between two of them."""
    inflater = Inflater(max_bytes)
    async for chunk in response.content.iter_chunked(STEP_BYTES):
        await DECODING.run(inflater.feed, chunk)
    return inflater.finish()
