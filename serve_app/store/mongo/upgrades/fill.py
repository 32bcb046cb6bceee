"""One change of all documents that lack something."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pymongo import ASCENDING

from serve_app.store.mongo.engine.types import Collections, Row

_BATCH = 1000

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fill:
    """`done` is its note in `upgrades`, which stays what it is; `lacking` says which documents of `collection` are
    changed, `fields` which of their fields are read (None: all). `change` changes one of them, under the condition that
    nobody else has changed it meanwhile, and returns how many it changed."""

    done: str
    collection: str
    lacking: Row
    change: Callable[[Collections, Row], Awaitable[int]]
    fields: Row | None = None

    async def run(self, collections: Collections) -> None:
        """Change all of them, unless that is recorded as done."""
        this = {"_id": self.done}
        if await collections.upgrades.find_one(this) is not None:
            return
        changed, rows = 0, await self._next(collections, "")
        while rows:
            changed += sum([await self.change(collections, row) for row in rows])
            rows = await self._next(collections, rows[-1]["_id"])
        await collections.upgrades.update_one(this, {"$set": {self.collection: changed}}, upsert=True)
        log.info("documents of earlier versions filled", extra={"fill": self.done, self.collection: changed})

    async def _next(self, collections: Collections, after: str) -> list[Row]:
        found = collections[self.collection].find({"_id": {"$gt": after}, **self.lacking}, self.fields)
        rows: list[Row] = await found.sort("_id", ASCENDING).limit(_BATCH).to_list(None)
        return rows
