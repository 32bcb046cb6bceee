"""One wake-up stands for all that came due meanwhile, and none is forgotten."""

import asyncio

from serve_app.services.tasks.wake import PAUSE_SECONDS, Wake
from tests.support import FakeNotifier


async def test_the_first_request_calls_at_once() -> None:
    notifier = FakeNotifier()
    Wake(notifier).request()
    await asyncio.sleep(0)
    assert notifier.calls == 1


async def test_requests_during_a_call_are_answered_by_one_more() -> None:
    notifier, may_end = FakeNotifier(), asyncio.Event()

    class SlowNotifier:
        async def wake(self) -> None:
            await notifier.wake()
            await may_end.wait()

    wake = Wake(SlowNotifier())
    for _ in range(20):
        wake.request()
        await asyncio.sleep(0)
    assert notifier.calls == 1
    may_end.set()
    await asyncio.sleep(3 * PAUSE_SECONDS)
    assert notifier.calls == 2


async def test_a_later_request_calls_again() -> None:
    notifier = FakeNotifier()
    wake = Wake(notifier)
    for _ in range(2):
        wake.request()
        await asyncio.sleep(2 * PAUSE_SECONDS)
    assert notifier.calls == 2
