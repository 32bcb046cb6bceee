"""One request and its response, at the level of bytes on the wire."""

from contextvars import ContextVar, Token
from types import TracebackType
from typing import Self

from aiohttp import ClientConnectionError, ClientPayloadError

from serve_app.net.outcome import too_long


class Exchange:
    """`async with` around one request through a session of the guard: accepts `most_bytes` from the server, and closes
    the connection if more arrive. All bytes count, because a server can endlessly send data that is not part of the
    final response: interim responses (1xx), chunk extensions.

    Data within the limit can still be read. Raises Unreachable on exit if the reader needed more.

    With `again`, opens a new connection instead of reusing a kept-alive one.
    """

    def __init__(self, most_bytes: int, *, again: bool = False) -> None:
        self.again = again
        self.is_on_kept_connection = False
        self._most_bytes = most_bytes
        self._received = 0
        self._token: Token[Exchange | None] | None = None

    @staticmethod
    def current() -> "Exchange | None":
        """The exchange of the request in progress."""
        return _current.get()

    @property
    def is_over(self) -> bool:
        """Whether the server sent more than `most_bytes`."""
        return self._received > self._most_bytes

    @property
    def met_closed_connection(self) -> bool:
        """For a failed exchange: whether the only cause may be a kept-alive connection that the server had already
        closed."""
        return self.is_on_kept_connection and not self._received

    def take(self, data: bytes) -> bytes:
        """Count received data, and return the part within the limit."""
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
            raise too_long() from None


# aiohttp opens connections within the request's task, but offers no parameter to pass the exchange to the connector.
_current: ContextVar[Exchange | None] = ContextVar("exchange", default=None)
