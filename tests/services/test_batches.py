"""Notes are written beside the work that they are about, which never waits for them."""

import asyncio
import time

from serve_app.services.tasks.batches import Batches


async def test_items_are_written_together_in_their_order() -> None:
    written: list[list[int]] = []

    async def write(items: list[int]) -> None:
        written.append(items)

    batches = Batches(write, "numbers", seconds=0.01)
    for number in range(500):
        batches.add(number)
    await asyncio.sleep(0.1)
    assert [len(items) for items in written] == [200, 200, 100]
    assert [number for items in written for number in items] == list(range(500))
    batches.add(500)
    await asyncio.sleep(0.1)
    assert written[-1] == [500]


async def test_what_does_not_fit_while_the_store_is_slow_is_dropped_and_counted() -> None:
    freed, written = asyncio.Event(), list[int]()

    async def write(items: list[int]) -> None:
        await freed.wait()
        written.extend(items)

    batches = Batches(write, "numbers", most=300, seconds=0)
    batches.add(-1)
    await asyncio.sleep(0.01)
    began = time.perf_counter()
    for number in range(1000):
        batches.add(number)
    assert time.perf_counter() - began < 0.1
    assert batches.dropped == 700
    freed.set()
    await batches.flush()
    await asyncio.sleep(0.01)
    assert sorted(written) == list(range(-1, 300))


async def test_what_cannot_be_written_is_counted_and_the_next_is_written() -> None:
    written: list[int] = []
    answers = [ConnectionError("away"), None]

    async def write(items: list[int]) -> None:
        if (error := answers.pop(0)) is not None:
            raise error
        written.extend(items)

    batches = Batches(write, "numbers", seconds=0)
    batches.add(1)
    await asyncio.sleep(0.01)
    batches.add(2)
    await asyncio.sleep(0.01)
    assert (written, batches.dropped) == ([2], 1)
