"""The listening sockets of a process."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from serve_app.domain.inbound_mail import Way
from serve_app.domain.user_error import UserError
from serve_app.mail.listener.certificate import Certificate
from serve_app.mail.listener.guests import Guests
from serve_app.mail.listener.handler import MailHandler
from serve_app.mail.listener.protocol import LARGE_AT_A_TIME, MailSession
from serve_app.services.mailroom.reception import Reception

_BACKLOG = 200
_HIGHEST_PORT = 65_535

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Place:
    """Where to listen, and for which protocol. A port of 0 is any that is free."""

    way: Way
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Greeting:
    """`hostname` is the server's name in its greeting; `behind_proxy`: every connection begins with the PROXY
    protocol."""

    hostname: str
    certificate: Certificate | None = None
    behind_proxy: bool = False


def place_in(text: str, way: Way) -> Place:
    """The place that `host:port` or `[host]:port` names. Raises UserError for anything else."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > _HIGHEST_PORT:
        raise UserError(f"MAIL_{way.upper()} must be host:port, like 127.0.0.1:8025")
    return Place(way, host.strip("[]"), int(port))


class MailListener:
    """Accepts mail at several addresses and ports."""

    def __init__(self, reception: Reception, guests: Guests, greeting: Greeting) -> None:
        self._reception = reception
        self._guests = guests
        self._greeting = greeting
        self._turns = asyncio.Semaphore(LARGE_AT_A_TIME)
        self._servers: list[asyncio.Server] = []

    async def start(self, places: Sequence[Place]) -> list[int]:
        """Listen; returns the ports. Raises OSError if a port is taken or may not be used."""
        return [await self._listen(place) for place in places]

    async def _listen(self, place: Place) -> int:
        handler = MailHandler(self._reception, place.way, self._guests)

        def session() -> MailSession:
            return MailSession(
                handler,
                self._guests,
                self._turns,
                way=place.way,
                hostname=self._greeting.hostname,
                max_bytes=self._reception.max_bytes,
                certificate=self._greeting.certificate,
                behind_proxy=self._greeting.behind_proxy,
            )

        loop = asyncio.get_running_loop()
        server = await loop.create_server(session, place.host, place.port, backlog=_BACKLOG)
        self._servers.append(server)
        port = int(server.sockets[0].getsockname()[1])
        log.info("mail is taken by %s on %s, port %d", place.way.upper(), place.host, port)
        return port

    async def close(self) -> None:
        """Accept no further connections; mails that are being stored are finished."""
        for server in self._servers:
            server.close()
        await self._reception.idle()
