"""A receiver in a process of its own: answers 200 at once and notes what came when.

Below `/dead/` it takes posts in and never answers.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection

import httpx
import uvloop
from aiohttp import web

from benchmarks.own_process import serving

_DEAD, _ARRIVALS = "/dead/", "/arrivals"


@dataclass(frozen=True, slots=True)
class Arrival:
    """A post as it came: `at` is in seconds since 1970."""

    path: str
    event_id: str
    at: float


@dataclass(frozen=True, slots=True)
class Receiver:
    """Where it listens."""

    url: str

    def arrivals(self) -> list[Arrival]:
        """Of all posts since this was asked for the last time, in order."""
        return [Arrival(*arrival) for arrival in httpx.get(self.url + _ARRIVALS, timeout=60).json()]

    def prompt(self, number: int) -> str:
        """The URL of an endpoint that answers."""
        return f"{self.url}/prompt/{number}"

    def dead(self, number: int) -> str:
        """The URL of an endpoint that never does."""
        return f"{self.url}{_DEAD}{number}"


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver, until the end of the block."""
    with serving(_serve) as port:
        yield Receiver(f"http://127.0.0.1:{port}")


def _serve(parent: Connection) -> None:
    # The lightest there is: what it takes from the cores is not there for those who are measured.
    uvloop.run(_answer(parent))


async def _answer(parent: Connection) -> None:
    recorded: list[Arrival] = []

    async def handle(request: web.BaseRequest) -> web.Response:
        if request.path == _ARRIVALS:
            arrivals = [(arrival.path, arrival.event_id, arrival.at) for arrival in recorded]
            recorded.clear()
            return web.json_response(arrivals)
        recorded.append(Arrival(request.path, request.headers["webhook-id"], time.time()))
        await request.read()
        if request.path.startswith(_DEAD):
            await asyncio.Event().wait()
        return web.Response()

    runner = web.ServerRunner(web.Server(handle, access_log=None))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    parent.send(runner.addresses[0][1])
    # Nothing is sent to it: the pipe tells that the parent is gone.
    gone = asyncio.Event()
    asyncio.get_running_loop().add_reader(parent.fileno(), gone.set)
    await gone.wait()
