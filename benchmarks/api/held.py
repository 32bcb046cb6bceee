"""What a held `wait=true` call costs in memory."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass

import httpx
import psutil

from benchmarks.api.memory import private_bytes

CALLS = 250
_WARM_UP_CALLS = 20
# The reader refuses it in a moment.
_DOCUMENT = b"%PDF-1.7 nothing"
_ALL_HELD_WITHIN_S = 25.0
_FINISHED_WITHIN_S = 120.0


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes a held call by the process that holds them, and how the calls were answered."""

    bytes_each: dict[str, float]
    statuses: Counter[int]


async def measure_held(url: str, key: str, reader: psutil.Process, watched: dict[str, psutil.Process]) -> Held:
    """Hold CALLS calls while `reader` stands still, then let them go. A few are held before: they make what stays."""
    headers = {"Authorization": f"Bearer {key}"}
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=_FINISHED_WITHIN_S, limits=limits) as client:
        await _hold(client, reader, watched, _WARM_UP_CALLS)
        return await _hold(client, reader, watched, CALLS)


async def _hold(
    client: httpx.AsyncClient, reader: psutil.Process, watched: dict[str, psutil.Process], count: int
) -> Held:
    before = {name: private_bytes(process) for name, process in watched.items()}
    reader.suspend()
    try:
        calls = [asyncio.create_task(_call(client)) for _ in range(count)]
        await _until_quiet(watched)
        each = {name: (private_bytes(process) - before[name]) / count for name, process in watched.items()}
    finally:
        reader.resume()
    return Held(each, Counter(answer.status_code for answer in await asyncio.gather(*calls)))


async def _call(client: httpx.AsyncClient) -> httpx.Response:
    return await client.post("/v1/invoices", params={"wait": "true"}, files={"file": ("a.pdf", _DOCUMENT)})


async def _until_quiet(watched: dict[str, psutil.Process]) -> None:
    """Until what is watched has stopped growing: all calls have come to rest."""
    end, previous = time.monotonic() + _ALL_HELD_WITHIN_S, -1
    while time.monotonic() < end:
        await asyncio.sleep(3)
        held = sum(private_bytes(process) for process in watched.values())
        if abs(held - previous) < 256 * 1024:
            return
        previous = held
