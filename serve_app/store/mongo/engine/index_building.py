"""Creates the indexes, once per process, and then brings documents of earlier versions up to date.

The unique indexes keep the data correct, so every operation waits for them. The others only make queries fast: they are
built in the background, however long the server needs, while the service runs.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence

from pymongo import IndexModel
from pymongo.errors import NetworkTimeout, OperationFailure, PyMongoError

from serve_app.store.mongo.engine.indexes import OBSOLETE, Index
from serve_app.store.mongo.engine.types import Collections, Row

_PAUSE = 30.0
"""Seconds until a server that did not answer in time is asked again: the build that it began continues, and each
request keeps one of its threads waiting."""
_INDEX_NOT_FOUND = 27

Upgrade = Callable[[Collections], Awaitable[None]]
"""Changes documents of earlier versions; can be interrupted and repeated."""

log = logging.getLogger(__name__)


class IndexBuilding:
    """Creates these indexes in the database, and then makes the upgrade; use it on one event loop only. `first` comes
    before everything else; what it raises, everything does that needs the indexes."""

    def __init__(
        self,
        collections: Collections,
        indexes: Sequence[Index],
        upgrade: Upgrade | None = None,
        first: Upgrade | None = None,
    ) -> None:
        self._collections = collections
        self._unique = [index for index in indexes if index.is_unique]
        self._others = [index for index in indexes if not index.is_unique]
        self._upgrade = upgrade
        self._first = first
        self._making_unique: asyncio.Future[None] | None = None
        self._making_others: asyncio.Task[None] | None = None
        self._asked_at = 0.0

    async def have_unique(self) -> None:
        """Returns once the unique indexes exist. Raises the driver's error if they cannot be created now."""
        if self._making_unique is None or self._is_to_be_made_again(self._making_unique):
            self._asked_at = time.monotonic()
            self._making_unique = asyncio.ensure_future(self._make_unique())
        await asyncio.shield(self._making_unique)
        if self._making_others is None:
            self._making_others = asyncio.create_task(self._make_others())

    async def close(self) -> None:
        """Stop waiting: the server finishes what it has begun."""
        if self._making_others is not None:
            self._making_others.cancel()
            await asyncio.gather(self._making_others, return_exceptions=True)

    def _is_to_be_made_again(self, making: asyncio.Future[None]) -> bool:
        """True at once after a failure, so that a server that starts late is no problem; after a timeout, once `_PAUSE`
        is over."""
        if not making.done() or not (making.cancelled() or making.exception()):
            return False
        takes_long = not making.cancelled() and isinstance(making.exception(), NetworkTimeout)
        return not takes_long or time.monotonic() > self._asked_at + _PAUSE

    async def _make_unique(self) -> None:
        if self._first is not None:
            await self._first(self._collections)
        await create_indexes(self._collections, self._unique)

    async def _make_others(self) -> None:
        while True:
            try:
                await _bring_up_to_date(self._collections, self._others)
                if self._upgrade is not None:
                    await self._upgrade(self._collections)
                return
            except PyMongoError as error:
                # A build that takes longer than the driver's timeout also raises such an error.
                log.warning("indexes are looked at again in %.0f s: %s: %.200s", _PAUSE, type(error).__name__, error)
            await asyncio.sleep(_PAUSE)


async def create_indexes(collections: Collections, indexes: Sequence[Index]) -> None:
    """Returns once all of these can be relied on, even if another process has begun to create them."""
    if not indexes:
        return
    options = await _options(collections)
    for name in dict.fromkeys(index.collection for index in indexes):
        missing = [index for index in indexes if index.collection == name]
        models = [IndexModel(index.directions, name=index.name, **index.options) for index in missing]
        await collections[name].create_indexes(models, **options)


async def _options(collections: Collections) -> Row:
    """A replica set member that is down must not block an index; a standalone server rejects options about members."""
    hello = await collections.command("hello")
    return {"commitQuorum": "majority"} if "setName" in hello else {}


async def _bring_up_to_date(collections: Collections, indexes: Sequence[Index]) -> None:
    """Create those that neither exist nor are being built, and drop the obsolete ones that they replace."""
    for name in dict.fromkeys(index.collection for index in indexes):
        present = await collections[name].index_information()
        missing = [index for index in indexes if index.collection == name and index.name not in present]
        await create_indexes(collections, missing)
        for obsolete in OBSOLETE.get(name, ()):
            if obsolete in present:
                await _drop(collections, name, obsolete)


async def _drop(collections: Collections, collection: str, name: str) -> None:
    try:
        await collections[collection].drop_index(name)
    except OperationFailure as error:
        # Another process may have dropped it at the same time.
        if error.code != _INDEX_NOT_FOUND:
            raise
