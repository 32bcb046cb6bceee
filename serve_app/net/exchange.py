"""One request and its answer, as the wire sees it."""

from contextvars import ContextVar, Token
from types import TracebackType
from typing import Self

from aiohttp import ClientConnectionError, ClientPayloadError

from serve_app.net.outcome import Unreachable


class Exchange:
    """`async with` around one request through a session of the guard: takes `most_bytes` of what the server sends, and
    ends the connection when more comes. All bytes count, since a server can send for ever what is no part of an answer:
    interim answers (1xx), extensions of chunks.

    What came within the bytes can be read nevertheless. Unreachable at the end for a reader who wanted more.

    With `afresh` it makes a connection of its own instead of using one that was kept.
    """

    def __init__(self, most_bytes: int, *, afresh: bool = False) -> None:
        self.afresh = afresh
        self.is_on_kept_connection = False
        self._most_bytes = most_bytes
        self._received = 0
        self._token: Token[Exchange | None] | None = None

    @staticmethod
    def current() -> "Exchange | None":
        """That of the request which is being made."""
        return _current.get()

    @property
    def is_over(self) -> bool:
        """Whether more came than it takes."""
        return self._received > self._most_bytes

    @property
    def met_closed_connection(self) -> bool:
        """For one that failed: whether it may be for nothing but a kept connection that the server had closed
        meanwhile."""
        return self.is_on_kept_connection and not self._received

    def take(self, data: bytes) -> bytes:
        """Count what has come. The part of it that is let through."""
        left = self._most_bytes - self._received
        self._received += len(data)
        return data[: max(0, left)]

    async def __aenter__(self) -> Self:
        self._token = _current.set(self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            _current.reset(self._token)
        if self.is_over and isinstance(error, (ClientConnectionError, ClientPayloadError)):
            raise Unreachable("the server's answer is too long") from None


# aiohttp makes connections inside of the request's own task, and hands nothing of ours down to there.
_current: ContextVar[Exchange | None] = ContextVar("exchange", default=None)
