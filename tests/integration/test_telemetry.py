"""What operators see of a real service under load, and when a worker is lost."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from serve_app.domain.invoice import Status
from serve_app.store.factory import open_store
from tests.integration.conftest import Service, replica
from tests.integration.test_service import finished

pytestmark = pytest.mark.ray

DOCUMENTS = 20
LATE_SECONDS = 5.0
"""How old the numbers about the queue may be."""
COUNTING_SECONDS = 0.1
STAGES = {
    *("request", "queue", "run", "reading", "fetch", "read", "extract", "verify", "reconcile", "save", "event"),
}
Counts = tuple[int, int]
"""Documents that wait, and that run."""


async def send(client: httpx.AsyncClient, service: Service, trace_id: str) -> str:
    """The id of a document that is sent as a part of the caller's trace."""
    place = {"traceparent": f"00-{trace_id}-{trace_id[:16]}-01"}
    answer = await client.post("/v1/invoices", files=service.upload(), headers=place)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


async def test_a_killed_dispatcher_loses_no_document_and_each_has_one_whole_trace(service: Service) -> None:
    traces = [uuid4().hex for _ in range(DOCUMENTS)]
    async with service.client() as client:
        ids = await asyncio.gather(*(send(client, service, trace) for trace in traces))
        replica("Dispatcher").kill()
        # What had ended by then may have spans that the dispatcher had not sent yet.
        seen = [(await client.get(f"/v1/invoices/{each}")).json() for each in ids]
        open_traces = [
            trace for trace, each in zip(traces, seen, strict=True) if each["status"] in {"queued", "processing"}
        ]
        ended = await asyncio.gather(*(finished(client, each) for each in ids))
    assert {each["status"] for each in ended} == {"complete"}
    assert len(open_traces) >= DOCUMENTS / 2
    await _until_sent(service, open_traces)
    assert [STAGES - service.traces.names(trace) for trace in open_traces] == [set()] * len(open_traces)


async def _until_sent(service: Service, traces: list[str]) -> None:
    """Processes send their spans every five seconds."""
    for _ in range(75):
        if all(service.traces.names(trace) >= STAGES for trace in traces):
            return
        await asyncio.sleep(0.2)


async def test_the_queue_is_reported_as_it_is_in_the_store(service: Service) -> None:
    async with service.client() as client, counting(service) as counts:
        ids: list[str] = []
        largest = 0
        # However quickly documents are read, some wait when the queue is looked at.
        async with asyncio.timeout(60):
            while not largest:
                ids += await asyncio.gather(*(send(client, service, uuid4().hex) for _ in range(DOCUMENTS)))
                largest, _ = await _published_truly(service, counts)
        ending = asyncio.gather(*(finished(client, each) for each in ids))
        while not ending.done():
            await _published_truly(service, counts)
            await asyncio.sleep(0.5)
        await ending
        await asyncio.sleep(LATE_SECONDS)
        assert await asyncio.to_thread(_published, service) == (0, 0)


async def _published_truly(service: Service, counts: list[tuple[float, Counts]]) -> Counts:
    """What a scrape says, which was so in the store a short time ago."""
    published = await asyncio.to_thread(_published, service)
    # It may be newer than the newest count.
    await asyncio.sleep(3 * COUNTING_SECONDS)
    lately = [count for at, count in counts if at > time.monotonic() - LATE_SECONDS]
    for number, stored in zip(published, zip(*lately, strict=True), strict=True):
        # Between two counts the store may have held as many more as these are apart.
        step = max((abs(after - before) for before, after in pairwise(stored)), default=0)
        assert min(stored) - step <= number <= max(stored) + step, (published, lately)
    return published


@asynccontextmanager
async def counting(service: Service) -> AsyncIterator[list[tuple[float, Counts]]]:
    """Counts in the store, several times a second, with the moment of each."""
    store = open_store(service.settings)
    counts: list[tuple[float, Counts]] = []

    async def count() -> None:
        while True:
            backlog = await store.queue.backlog()
            waiting, running = (backlog.documents(status) for status in (Status.QUEUED, Status.PROCESSING))
            counts.append((time.monotonic(), (waiting, running)))
            await asyncio.sleep(COUNTING_SECONDS)

    task = asyncio.create_task(count())
    try:
        yield counts
    finally:
        task.cancel()
        await store.connection.close()


def _published(service: Service) -> Counts:
    numbers = service.numbers("invoices_queue_documents")
    waiting, running = (
        sum(int(value) for labels, value in numbers.items() if f'state="{state}"' in labels)
        for state in ("waiting", "running")
    )
    return waiting, running


async def test_a_refused_model_is_reported_in_every_scrape_until_it_is_set_right(
    service: Service, tmp_path: Path
) -> None:
    def refused() -> dict[str, float]:
        return {
            deployment: published
            for deployment, published in service.numbers("invoices_model_refused").items()
            if published
        }

    await asyncio.to_thread(service.deploy, {"Verifier": {"checkpoint": str(tmp_path / "missing")}})
    for _ in range(25):
        assert await asyncio.to_thread(refused) == {'{deployment="Verifier"}': 1}
        await asyncio.sleep(0.2)
    await asyncio.to_thread(service.deploy, {})
    for _ in range(50):
        if not await asyncio.to_thread(refused):
            return
        await asyncio.sleep(0.2)
    pytest.fail("it is told although the model was set right")
