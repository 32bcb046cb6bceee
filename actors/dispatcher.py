"""The loop that claims due documents and runs them through reader and reconciler."""

import asyncio
from collections.abc import Sequence
from typing import Any

from ray import serve
from ray.serve.handle import DeploymentHandle

from actors.autoscaling import stats_of
from actors.handles import HeldCallsHandle, InterpreterHandle, NotifierHandle, ReaderHandle
from actors.health import ThreadCheck
from actors.stores import open_stores
from serve_app.domain.model_pairs import Shadow
from serve_app.services.upkeep.gauges import publish_gauges, publish_queue
from serve_app.settings import Settings
from serve_app.wiring.care import build_care
from serve_app.wiring.dispatcher import build_dispatcher
from serve_app.wiring.pins import build_pins
from serve_app.wiring.telemetry import start_telemetry


@serve.deployment(max_ongoing_requests=100)
class Dispatcher:
    """Runs the loop for as long as the replica lives; Serve replaces a replica whose loop died."""

    def __init__(
        self,
        settings: Settings,
        reader: DeploymentHandle[Any],
        reconciler: DeploymentHandle[Any],
        delivery: DeploymentHandle[Any],
        pairs: Sequence[str] = (),
        shadow: Shadow | None = None,
    ) -> None:
        """`pairs` are the names of the pairs of models beside the first one, `shadow` the one that reads along."""
        start_telemetry(settings, "Dispatcher")
        self._room = settings.max_running
        self._store, self._files = open_stores(settings, "Dispatcher")
        self._threads = ThreadCheck(self._store)
        self._dispatcher = build_dispatcher(
            self._store,
            self._files,
            ReaderHandle(reader),
            InterpreterHandle(reconciler),
            settings,
            delivery=NotifierHandle(delivery),
            held_calls=HeldCallsHandle("Ingress"),
            pairs=pairs,
            shadow=shadow,
        )
        self._publishing = publish_gauges(publish_queue, self._store)
        care = build_care(self._store, settings)
        self._caring = asyncio.get_running_loop().create_task(care.publish_forever())
        self._checking_pins = asyncio.get_running_loop().create_task(build_pins(self._store, pairs).warn_of_unserved())
        self._loop = asyncio.get_running_loop().create_task(self._dispatcher.run())

    async def wake(self) -> None:
        """A document is due: look now instead of at the next poll."""
        self._dispatcher.wake()

    async def record_autoscaling_stats(self) -> dict[str, float]:
        """Called by Serve every two seconds: what the autoscaling policy is to know."""
        return stats_of(self._dispatcher.demand, self._room)

    async def check_health(self) -> None:
        """Called by Serve. If it raises, Serve replaces the replica."""
        self._threads.check()
        if self._loop.done():
            raise RuntimeError("the dispatcher's loop ended")

    async def __del__(self) -> None:
        """Called and awaited by Serve when the replica stops: releases unfinished documents."""
        self._publishing.cancel()
        self._caring.cancel()
        self._checking_pins.cancel()
        await self._dispatcher.stop()
        try:
            await self._loop
        finally:
            await self._store.connection.close()
            await self._files.close()
