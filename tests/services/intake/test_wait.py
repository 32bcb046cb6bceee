"""Held calls are let go when their invoice is finished, and cost one look at a time together."""

import asyncio
from collections.abc import Collection
from typing import cast
from uuid import UUID

from serve_app.domain.ids import new_id
from serve_app.services.intake.wait import WaitForInvoice
from serve_app.store.base import Queue


class Looks:
    """Answers `finished_among`, and counts how often it is asked."""

    def __init__(self) -> None:
        self.finished: set[UUID] = set()
        self.count = 0
        self.broken = False

    async def finished_among(self, ids: Collection[UUID]) -> set[UUID]:
        self.count += 1
        if self.broken:
            raise OSError("gone")
        return self.finished & set(ids)


def waiter(looks: Looks, max_held: int = 100) -> WaitForInvoice:
    return WaitForInvoice(cast(Queue, looks), max_held, poll_seconds=0.01)


async def test_the_right_call_is_let_go() -> None:
    looks, first, second = Looks(), new_id(), new_id()
    wait = waiter(looks)
    calls = [asyncio.create_task(wait.until_finished(invoice_id, 0.3)) for invoice_id in (first, first, second)]
    await asyncio.sleep(0.05)
    looks.finished.add(first)
    assert await asyncio.gather(*calls) == [True, True, False]


async def test_all_calls_share_the_looking_and_nobody_looks_when_none_is_held() -> None:
    looks = Looks()
    wait = waiter(looks)
    await asyncio.gather(*(wait.until_finished(new_id(), 0.2) for _ in range(50)))
    assert 1 < looks.count < 40
    await asyncio.sleep(0.05)
    before = looks.count
    await asyncio.sleep(0.05)
    assert looks.count == before
    await wait.until_finished(new_id(), 0.05)
    assert looks.count > before


async def test_beyond_the_limit_a_call_is_not_held() -> None:
    wait = waiter(Looks(), max_held=1)
    held = asyncio.create_task(wait.until_finished(new_id(), 0.1))
    await asyncio.sleep(0)
    async with asyncio.timeout(0.05):
        assert not await wait.until_finished(new_id(), 10)
    assert not await held


async def test_a_caller_that_goes_away_frees_its_place() -> None:
    looks, one = Looks(), new_id()
    wait = waiter(looks, max_held=1)
    gone = asyncio.create_task(wait.until_finished(one, 10))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    looks.finished.add(one)
    assert await wait.until_finished(one, 1)


async def test_a_lost_store_only_delays() -> None:
    looks, one = Looks(), new_id()
    looks.finished.add(one)
    looks.broken = True
    call = asyncio.create_task(waiter(looks).until_finished(one, 5))
    await asyncio.sleep(0.05)
    looks.broken = False
    assert await call


async def test_the_end_of_a_run_wakes_the_call_long_before_the_next_look() -> None:
    looks, one = Looks(), new_id()
    wait = WaitForInvoice(cast(Queue, looks), 100, poll_seconds=60)
    held = asyncio.create_task(wait.until_finished(one, 60))
    await asyncio.sleep(0)
    wait.wake()
    await asyncio.sleep(0.01)
    assert not held.done()
    looks.finished.add(one)
    wait.wake()
    async with asyncio.timeout(1):
        assert await held
    assert looks.count == 2
