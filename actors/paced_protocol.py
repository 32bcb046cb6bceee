"""HTTP on connections that cannot be held for long by sending or reading slowly, nor by opening many (ADR 0114)."""

import asyncio
from uuid import uuid4

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from actors.pace import ConnectionLimits, Pace
from actors.peers import Peers
from actors.serve_answers import http_answer
from serve_app.domain.errors import ServiceError
from serve_app.http.errors import RequestTimeout, TooManyConnections
from serve_app.net.addresses import Access


class PacedProtocol(HttpToolsProtocol):
    """Ends connections whose peer is too slow, and refuses those of a peer that has too many."""

    limits = ConnectionLimits()
    peers = Peers(1000, Access(to_public=False))
    """Shared by all connections of the process."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        # The request of which a part is awaited: its head, then its body.
        self._arriving: Pace | None = self._head()
        self._is_in_body = False
        self._has_begun = False
        # The answer that does not fit into the buffers, and how much of it was left at the last look.
        self._leaving: Pace | None = None
        self._left = 0
        self._watch = self.loop.call_later(self.limits.tick_seconds, self._look)
        if self.client is not None and not self.peers.enter(self.client[0], self):
            self.refuse(TooManyConnections())

    def connection_lost(self, exc: Exception | None) -> None:
        self._watch.cancel()
        if self.client is not None:
            self.peers.leave(self.client[0], self)
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def drop(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    def refuse(self, error: ServiceError) -> None:
        """Answer with an error in place of the application, and close the connection."""
        self.transport.write(http_answer(error, uuid4().hex.encode()))
        self._end()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._arriving is None and self.is_idle:
            self._arriving, self._is_in_body, self._has_begun = self._head(), False, False
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._has_begun = True
        # Further requests may come in one piece with the first.
        self._arriving = self._arriving or self._head()

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._arriving, self._is_in_body = self._pace(), True

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        if self._arriving is not None:
            self._arriving.add(len(body))

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._arriving, self._is_in_body, self._has_begun = None, False, False

    def resume_writing(self) -> None:
        super().resume_writing()
        # The buffer was read down to where more is written.
        self._leaving = None

    def _look(self) -> None:
        """Called every tick."""
        self._watch = self.loop.call_later(self.limits.tick_seconds, self._look)
        now = self.loop.time()
        if self._leaves_too_slowly(now):
            self.transport.abort()
        elif self._arrives_too_slowly(now):
            self._end_slow()

    def _arrives_too_slowly(self, now: float) -> bool:
        if self._arriving is None or self.transport.is_closing():
            return False
        if self.flow.read_paused or self._must_wait():
            self._arriving.rest(self.limits.tick_seconds)
        return self._arriving.is_too_slow(now)

    def _must_wait(self) -> bool:
        """Whether the peer was told to wait before it sends the body."""
        return self._is_in_body and not self.is_idle and bool(self.cycle.waiting_for_100_continue)

    def _leaves_too_slowly(self, now: float) -> bool:
        left = self.transport.get_write_buffer_size()
        if not left or not (self.flow.write_paused or self.is_idle or self.transport.is_closing()):
            self._leaving = None
            return False
        if self._leaving is None:
            self._leaving, self._left = self._pace(), left
        self._leaving.add(max(0, self._left - left))
        self._left = left
        return self._leaving.is_too_slow(now)

    def _end_slow(self) -> None:
        """Tell the peer, if a part of a request has come and nothing else is being answered."""
        is_answering = not self.is_idle and (not self._is_in_body or bool(self.cycle.response_started))
        if self._has_begun and not is_answering:
            self.refuse(RequestTimeout())
        else:
            self._end()

    def _end(self) -> None:
        self._arriving = None
        if not self.is_idle:
            # The application gets no more of the request, and its answer goes nowhere.
            self.cycle.disconnected = True
        self.transport.close()

    def _head(self) -> Pace:
        return Pace(self.loop.time(), self.limits.head_seconds)

    def _pace(self) -> Pace:
        return Pace(self.loop.time(), self.limits.grace_seconds, self.limits.bytes_a_second)
