"""The database server's clock, so that machines whose clocks differ agree on leases."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

from pymongo.errors import PyMongoError

from serve_app.domain.clock import utc_now
from serve_app.domain.errors import StoreUnreachable
from serve_app.store.mongo.engine.client import database_name, open_client

_SECONDS = 60.0
"""How long a measurement stays valid."""


class ServerClock:
    """Asks the server from time to time, and extrapolates with this process's monotonic clock in between."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self._asked_at = 0.0
        self._answer: datetime | None = None

    async def now(self) -> datetime:
        """The server's time. Raises the driver's error if the server must be asked and does not answer."""
        if self._answer is None or time.monotonic() - self._asked_at > _SECONDS:
            await self._ask()
        assert self._answer is not None  # noqa: S101 - narrows the type
        return self._answer + timedelta(seconds=time.monotonic() - self._asked_at)

    def forget(self) -> None:
        """Ask again next time: another server may answer then."""
        self._answer = None

    async def _ask(self) -> None:
        sent = time.monotonic()
        local_time: datetime = (await self._database.command("hello"))["localTime"]
        # The server read its clock about halfway through the round trip.
        self._asked_at = (sent + time.monotonic()) / 2
        # Commands answer with plain datetimes, in UTC.
        self._answer = local_time.replace(tzinfo=UTC)


async def clock_ahead(url: str) -> timedelta:
    """How far this machine's clock is ahead of that of the server at the URL. Raises StoreUnreachable."""
    client = open_client(url)
    try:
        server = await ServerClock(client.get_database(database_name(url))).now()
        return utc_now() - server
    except PyMongoError as error:
        raise StoreUnreachable from error
    finally:
        client.close()
