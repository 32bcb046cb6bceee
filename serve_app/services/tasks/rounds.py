"""Runs periodic tasks."""

import asyncio
import random
from collections.abc import Awaitable, Callable


async def forever(make_round: Callable[[], Awaitable[object]], seconds: float) -> None:
    """Run a round every `seconds` until cancelled; a round must handle its own errors. The first one starts after a
    random part of that time, so that replicas that start together do not run in step."""
    await asyncio.sleep(seconds * random.random())  # noqa: S311 - spreads work, keeps no secret
    while True:
        await make_round()
        await asyncio.sleep(seconds)
