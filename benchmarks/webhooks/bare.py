"""What the deliverer is held against: a loop that signs and posts, and does nothing else."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from aiohttp import ClientSession, TCPConnector

from benchmarks.webhooks.events import events
from benchmarks.webhooks.speed import Speed
from serve_app.domain.ids import new_id
from serve_app.services.webhooks.signature import signed_headers

Message = tuple[str, bytes]


def bare_loop(urls: Sequence[str], secret: str, count: int, in_flight: int) -> Speed:
    """How fast one process posts with so many requests in flight for each URL, `count` to each."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_measured, urls, secret, count, in_flight).result()


def _measured(urls: Sequence[str], secret: str, count: int, in_flight: int) -> Speed:
    messages = {url: [(event.id, event.payload.encode()) for event in events(new_id(), count)] for url in urls}
    began, total = time.process_time(), count * len(urls)
    seconds = asyncio.run(_post_all(messages, secret, in_flight))
    return Speed(total / seconds, (time.process_time() - began) * 1000 / total)


async def _post_all(messages: dict[str, list[Message]], secret: str, in_flight: int) -> float:
    async with ClientSession(connector=TCPConnector(limit=0)) as session:
        began = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for url, some in messages.items():
                remaining = iter(some)
                for _ in range(in_flight):
                    group.create_task(_post_some(session, url, secret, remaining))
        return time.perf_counter() - began


async def _post_some(session: ClientSession, url: str, secret: str, remaining: Iterator[Message]) -> None:
    for message_id, body in remaining:
        headers = signed_headers([secret], message_id, int(time.time()), body)
        async with session.post(url, data=body, headers=headers) as response:
            await response.read()
            assert response.status == 200
