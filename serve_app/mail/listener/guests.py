"""Limits on connections and mails, by peer. Kept in memory: each process counts its own."""

import time
from collections import Counter
from collections.abc import Callable

from serve_app.net.addresses import Access
from serve_app.services.people.attempts import peer_key

_MINUTE = 60.0


class Guests:
    """`exempt` are the networks of servers in front, which pass on everybody's mail."""

    def __init__(
        self,
        connections: int,
        mails_per_minute: int,
        exempt: Access,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connections = connections
        self._mails_per_minute = mails_per_minute
        self._exempt = exempt
        self._clock = clock
        self._open = 0
        self._minute = 0
        self._mails: Counter[str] = Counter()

    def enter(self) -> bool:
        """Count a connection, unless the limit is reached; each counted one must `leave`."""
        if self._open >= self._connections:
            return False
        self._open += 1
        return True

    def leave(self) -> None:
        self._open -= 1

    def is_exempt(self, peer: str | None) -> bool:
        """Whether the peer is a server in front."""
        return peer is None or self._exempt.allows(peer)

    def may_send(self, peer: str | None) -> bool:
        """Count a mail; False if the peer has reached its limit for this minute."""
        if self.is_exempt(peer):
            return True
        minute = int(self._clock() / _MINUTE)
        if minute != self._minute:
            self._minute = minute
            self._mails.clear()
        key = peer_key(peer or "")
        self._mails[key] += 1
        return self._mails[key] <= self._mails_per_minute
