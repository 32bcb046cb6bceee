"""Chores that are done in rounds."""

import asyncio
import random
from collections.abc import Awaitable, Callable


async def forever(make_round: Callable[[], Awaitable[object]], seconds: float) -> None:
    """A round every `seconds`, until it is cancelled; a round must outlive its own trouble. The first one comes after a
    part of that time, so that replicas which start together do not work together."""
    await asyncio.sleep(seconds * random.random())  # noqa: S311 - spreads work, keeps no secret
    while True:
        await make_round()
        await asyncio.sleep(seconds)
