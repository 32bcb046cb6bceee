"""How many connections one peer may have open to this process."""

from typing import Protocol

from serve_app.net.addresses import Access
from serve_app.services.people.attempts import peer_key


class Connection(Protocol):
    """One connection, as far as its number matters."""

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered on it."""
        ...

    def drop(self) -> None:
        """Close it at once."""
        ...


class Peers:
    """At most `limit` connections for each IP address (of IPv6: each /64 network), except for the `exempt` ones: a
    proxy brings the connections of many."""

    def __init__(self, limit: int, exempt: Access) -> None:
        self._limit = limit
        self._exempt = exempt
        # In the order in which they came.
        self._open: dict[str, dict[Connection, None]] = {}

    def enter(self, address: str, connection: Connection) -> bool:
        """Count a connection; False if the peer has too many. An idle one of the peer's is dropped for the new one."""
        if self._exempt.allows(address):
            return True
        own = self._open.setdefault(peer_key(address), {})
        if len(own) >= self._limit and not _make_room(own):
            return False
        own[connection] = None
        return True

    def leave(self, address: str, connection: Connection) -> None:
        """The connection is gone; does nothing if it was not counted."""
        key = peer_key(address)
        own = self._open.get(key, {})
        own.pop(connection, None)
        if not own:
            self._open.pop(key, None)


def _make_room(own: dict[Connection, None]) -> bool:
    oldest = next((connection for connection in own if connection.is_idle), None)
    if oldest is None:
        return False
    del own[oldest]
    oldest.drop()
    return True
