"""Connections whose bytes are counted.

aiohttp has no limit for what comes before and around an answer. Its connector is asked for a connection before each
request (`connect`), and asyncio lets the protocol behind a transport be replaced: both are public, and all that is
needed. tests/net/test_exchange.py fails where a release of aiohttp goes past it.
"""

import asyncio
from typing import Any

from aiohttp import TCPConnector
from aiohttp.connector import Connection

from serve_app.net.exchange import Exchange

GRACE_SECONDS = 1.5
"""When too much came, its reader is told this much later. Whoever can use what was let through has read it by then; a
server that does so again and again is met rarely, since it counts as a slow one."""


class MeteredConnector(TCPConnector):
    """Counts what comes for the `Exchange` that the request is in. Requests outside of one are not limited."""

    async def connect(self, *args: Any, **kwargs: Any) -> Connection:
        """For aiohttp's session."""
        exchange = Exchange.current()
        connection = await super().connect(*args, **kwargs)
        while exchange is not None and not _begin(exchange, connection):
            connection.close()
            connection = await super().connect(*args, **kwargs)
        return connection


def _begin(exchange: Exchange, connection: Connection) -> bool:
    """Whether the exchange can be made on the connection, which is counted for it from now on."""
    transport, inner = connection.transport, connection.protocol
    if transport is None or inner is None:
        # Lost already, which is aiohttp's to tell.
        return True
    meter = transport.get_protocol()
    if not isinstance(meter, _Meter):
        transport.set_protocol(_Meter(exchange, transport, inner))
        return True
    if exchange.afresh or meter.exchange.is_over:
        return False
    exchange.is_on_kept_connection = True
    meter.exchange = exchange
    return True


class _Meter(asyncio.Protocol):
    """Stands between a connection and aiohttp's protocol."""

    def __init__(self, exchange: Exchange, transport: asyncio.Transport, inner: asyncio.Protocol) -> None:
        self.exchange = exchange
        self._transport = transport
        self._inner = inner

    def data_received(self, data: bytes) -> None:
        if taken := self.exchange.take(data):
            self._inner.data_received(taken)
        if self.exchange.is_over:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.exchange.is_over:
            # At once, it would take back what was let through and is not read yet.
            asyncio.get_running_loop().call_later(GRACE_SECONDS, self._inner.connection_lost, None)
        else:
            self._inner.connection_lost(exc)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()
