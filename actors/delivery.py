"""The loop that delivers events to webhook endpoints."""

import asyncio

from ray import serve

from actors.health import ThreadCheck
from actors.stores import open_stores
from serve_app.services.upkeep.gauges import publish_deliveries, publish_gauges
from serve_app.settings import Settings
from serve_app.wiring.telemetry import start_telemetry
from serve_app.wiring.webhooks import build_deliverer


@serve.deployment(max_ongoing_requests=100)
class Delivery:
    """Runs the loop for as long as the replica lives; Serve replaces a replica whose loop died."""

    def __init__(self, settings: Settings) -> None:
        start_telemetry(settings, "Delivery")
        self._store, self._files = open_stores(settings, "Delivery")
        self._threads = ThreadCheck(self._store)
        self._deliverer = build_deliverer(self._store, settings)
        self._publishing = publish_gauges(publish_deliveries, self._store)
        self._loop = asyncio.get_running_loop().create_task(self._deliverer.run())

    async def wake(self) -> None:
        """A delivery is due: look now instead of at the next poll."""
        self._deliverer.wake()

    async def check_health(self) -> None:
        """Called by Serve. If it raises, Serve replaces the replica."""
        self._threads.check()
        if self._loop.done():
            raise RuntimeError("the deliverer's loop ended")

    async def __del__(self) -> None:
        """Called and awaited by Serve when the replica stops: lets attempts in flight finish."""
        self._publishing.cancel()
        self._deliverer.stop()
        try:
            await self._loop
        finally:
            await self._store.connection.close()
            await self._files.close()
