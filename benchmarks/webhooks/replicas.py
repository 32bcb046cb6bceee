"""Replicas of the Delivery deployment as plain processes: what the actor builds, on a loop of the actor's kind."""

import asyncio
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import psutil

from serve_app.settings import Settings
from serve_app.store.factory import open_store
from serve_app.telemetry.logs import configure_logging
from serve_app.wiring.webhooks import build_deliverer

_START_S = 60.0
_READY, _RUN, _WAKE, _STOP = b"ready", b"run", b"wake", b"stop"


@dataclass(frozen=True, slots=True)
class Replica:
    """One process, and the pipe to it."""

    process: BaseProcess
    pipe: Connection

    def run(self) -> None:
        """Begin to deliver."""
        self.pipe.send_bytes(_RUN)

    def cpu_seconds(self) -> float:
        """What it has used of the cores since it started, all its threads together."""
        times = psutil.Process(self.process.pid).cpu_times()
        return float(times.user + times.system)

    def wake(self) -> None:
        """Something is due, as the dispatcher tells it."""
        self.pipe.send_bytes(_WAKE)


@contextmanager
def replicas(settings: Settings, count: int) -> Iterator[list[Replica]]:
    """So many, ready to run; stopped in good order at the end of the block."""
    started = [_start(settings) for _ in range(count)]
    try:
        for replica in started:
            if not replica.pipe.poll(_START_S):
                raise TimeoutError("a replica does not start")
            replica.pipe.recv_bytes()
        yield started
        for replica in started:
            replica.pipe.send_bytes(_STOP)
            replica.process.join(_START_S)
    finally:
        for replica in started:
            replica.process.kill()
            replica.process.join()


def _start(settings: Settings) -> Replica:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_process, args=(settings, theirs), daemon=True)
    process.start()
    return Replica(process, ours)


def _process(settings: Settings, parent: Connection) -> None:
    configure_logging()
    # Serve runs the code of a deployment on asyncio's own loop.
    asyncio.run(_deliver(settings, parent))


async def _deliver(settings: Settings, parent: Connection) -> None:
    store = open_store(settings)
    deliverer = build_deliverer(store, settings)
    messages: asyncio.Queue[bytes] = asyncio.Queue()
    asyncio.get_running_loop().add_reader(parent.fileno(), lambda: messages.put_nowait(parent.recv_bytes()))
    parent.send_bytes(_READY)
    await messages.get()
    running = asyncio.create_task(deliverer.run())
    while await messages.get() == _WAKE:
        deliverer.wake()
    deliverer.stop()
    await running
    await store.connection.close()
