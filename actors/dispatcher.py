"""The loop that claims due documents and runs them through reader and models."""

import asyncio
from typing import Any

from ray import serve
from ray.serve.handle import DeploymentHandle

from actors.handles import HeldCallsHandle, ModelHandle, ReaderHandle, ReconcilerHandle, WakerHandle
from actors.stores import open_stores
from serve_app.logs import configure_logging
from serve_app.settings import Settings
from serve_app.wiring import build_dispatcher

# A replica of the reconciler admits eight documents; whatever takes longer than all of them is stuck.
LONGEST_LINE = 9


@serve.deployment(max_ongoing_requests=100)
class Dispatcher:
    """Runs the loop for as long as the replica lives; Serve replaces a replica whose loop died."""

    def __init__(
        self,
        settings: Settings,
        reader: DeploymentHandle[Any],
        extractor: DeploymentHandle[Any],
        verifier: DeploymentHandle[Any],
        reconciler: DeploymentHandle[Any],
        delivery: DeploymentHandle[Any],
    ) -> None:
        configure_logging()
        self._store, self._files = open_stores(settings)
        self._dispatcher = build_dispatcher(
            self._store,
            self._files,
            ReaderHandle(reader),
            ModelHandle(extractor),
            ModelHandle(verifier),
            ReconcilerHandle(reconciler, LONGEST_LINE * settings.reconcile_seconds),
            settings,
            delivery=WakerHandle(delivery),
            held_calls=HeldCallsHandle("Ingress"),
        )
        self._loop = asyncio.get_running_loop().create_task(self._dispatcher.run())

    async def wake(self) -> None:
        """A document is due: look now instead of at the next poll."""
        self._dispatcher.wake()

    async def check_health(self) -> None:
        """Called by Serve. If it raises, Serve replaces the replica."""
        if self._loop.done():
            raise RuntimeError("the dispatcher's loop ended")

    async def __del__(self) -> None:
        """Called and awaited by Serve when the replica stops: releases unfinished documents."""
        await self._dispatcher.stop()
        try:
            await self._loop
        finally:
            await self._store.connection.close()
            await self._files.close()
