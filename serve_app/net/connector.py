"""Connections that count received bytes.

aiohttp does not limit the data that precedes or surrounds a response body. This module relies on two public APIs only:
aiohttp calls its connector's `connect` before each request, and asyncio allows a transport's protocol to be replaced.
tests/net/test_exchange.py fails if a release of aiohttp bypasses them.
"""

import asyncio
from typing import Any

from aiohttp import TCPConnector
from aiohttp.connector import Connection

from serve_app.net.exchange import Exchange

GRACE_SECONDS = 1.5
"""After too much data, the reader learns of the closed connection only after this delay. A reader that can use the data
passed on has read it by then. A server that exceeds the limit repeatedly is rarely contacted: it counts as slow."""


class MeteredConnector(TCPConnector):
    """Counts received bytes toward the request's `Exchange`. Requests outside an `Exchange` are not limited."""

    async def connect(self, *args: Any, **kwargs: Any) -> Connection:
        """Called by aiohttp's session."""
        exchange = Exchange.current()
        connection = await super().connect(*args, **kwargs)
        while exchange is not None and not _begin(exchange, connection):
            connection.close()
            connection = await super().connect(*args, **kwargs)
        return connection


def _begin(exchange: Exchange, connection: Connection) -> bool:
    """Whether the exchange can use the connection. If so, the connection's bytes count toward it from now on."""
    transport, inner = connection.transport, connection.protocol
    if transport is None or inner is None:
        # The connection is already lost; aiohttp reports that itself.
        return True
    meter = transport.get_protocol()
    if not isinstance(meter, _Meter):
        transport.set_protocol(_Meter(exchange, transport, inner))
        return True
    if exchange.again or meter.exchange.is_over:
        return False
    exchange.is_on_kept_connection = True
    meter.exchange = exchange
    return True


class _Meter(asyncio.Protocol):
    """Sits between a transport and aiohttp's protocol."""

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
            # An immediate call would discard data that was passed on but is not read yet.
            asyncio.get_running_loop().call_later(GRACE_SECONDS, self._inner.connection_lost, None)
        else:
            self._inner.connection_lost(exc)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()
