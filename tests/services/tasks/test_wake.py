"""One wake-up stands for all that came due meanwhile, and none is forgotten."""

import asyncio

from serve_app.services.tasks.wake import PAUSE_SECONDS, Wake
from tests.support import FakeWaker


async def test_the_first_request_calls_at_once() -> None:
    waker = FakeWaker()
    Wake(waker).request()
    await asyncio.sleep(0)
    assert waker.calls == 1


async def test_requests_during_a_call_are_answered_by_one_more() -> None:
    waker, may_end = FakeWaker(), asyncio.Event()

    class SlowWaker:
        async def wake(self) -> None:
            await waker.wake()
            await may_end.wait()

    wake = Wake(SlowWaker())
    for _ in range(20):
        wake.request()
        await asyncio.sleep(0)
    assert waker.calls == 1
    may_end.set()
    await asyncio.sleep(3 * PAUSE_SECONDS)
    assert waker.calls == 2


async def test_a_later_request_calls_again() -> None:
    waker = FakeWaker()
    wake = Wake(waker)
    for _ in range(2):
        wake.request()
        await asyncio.sleep(2 * PAUSE_SECONDS)
    assert waker.calls == 2
