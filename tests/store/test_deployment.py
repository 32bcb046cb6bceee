"""A database has one id of its deployment, in all of its processes."""

import asyncio
from collections.abc import Callable

from serve_app.store.base import Store


async def test_all_processes_get_the_same_id(store: Store, open_again: Callable[[], Store]) -> None:
    ids = await asyncio.gather(*(each.deployment.get() for each in (store, open_again(), open_again())))
    assert len(set(ids)) == 1
    assert await open_again().deployment.get() == ids[0]
