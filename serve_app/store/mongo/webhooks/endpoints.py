"""Webhook endpoints."""

from dataclasses import replace
from uuid import UUID

from pymongo import ASCENDING
from pymongo.errors import DuplicateKeyError

from serve_app.domain.webhook import WebhookEndpoint
from serve_app.store.base.webhooks import TooManyEndpoints, UrlTaken
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.webhooks.endpoint_hours import remove_counts
from serve_app.store.mongo.webhooks.endpoint_rows import endpoint_from, endpoints_of, fields_of
from serve_app.store.mongo.webhooks.settling import new_mark, settle
from serve_app.store.rows.codec import to_micros


class MongoEndpoints:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, endpoint: WebhookEndpoint, *, at_most: int) -> None:
        row = {"_id": str(endpoint.id), **fields_of(endpoint), "revision": endpoint.revision, "lane": 0}

        async def add(collections: Collections) -> None:
            # Of several requests that want the same place, one gets it, so each round has one fewer.
            while not await _insert(collections, row, at_most):
                pass

        await self._database.write(add)

    async def get(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint | None:
        query = {"_id": str(endpoint_id), "account_id": str(account_id)}
        row = await self._database.read(lambda collections: collections.endpoints.find_one(query))
        return None if row is None else endpoint_from(row)

    async def of_account(self, account_id: UUID) -> list[WebhookEndpoint]:
        return await self._database.read(lambda collections: endpoints_of(collections, str(account_id)))

    async def exist(self) -> bool:
        return await self._database.read(lambda collections: collections.endpoints.find_one({}, {"_id": 1})) is not None

    async def list_all(self, *, after: UUID | None, limit: int) -> list[WebhookEndpoint]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.endpoints.find({"_id": {"$gt": str(after or "")}})
            return await found.sort("_id", ASCENDING).limit(limit).to_list(None)

        return [endpoint_from(row) for row in await self._database.read(find)]

    async def with_unnotified_owner(self, limit: int) -> list[WebhookEndpoint]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.endpoints.find({"is_owner_untold": True})
            return await found.sort("_id", ASCENDING).limit(limit).to_list(None)

        return [endpoint_from(row) for row in await self._database.read(find)]

    async def replace(self, endpoint: WebhookEndpoint) -> WebhookEndpoint | None:
        as_read: Row = {"_id": str(endpoint.id), "account_id": str(endpoint.account_id), "revision": endpoint.revision}

        async def write(collections: Collections) -> bool:
            now = await self._database.now()
            mark = new_mark(now)
            change = {"$set": fields_of(endpoint), "$inc": {"revision": 1}, "$push": {"unsettled": mark}}
            try:
                changed = await collections.endpoints.update_one(as_read, change)
            except DuplicateKeyError:
                raise UrlTaken from None
            if changed.matched_count == 0:
                return False
            await settle(collections, as_read["account_id"], as_read["_id"], to_micros(now), [mark["id"]])
            return True

        is_written = await self._database.write_at_length(write)
        return replace(endpoint, revision=endpoint.revision + 1) if is_written else None

    async def remove(self, account_id: UUID, endpoint_id: UUID) -> bool:
        query = {"_id": str(endpoint_id), "account_id": str(account_id)}

        async def remove(collections: Collections) -> bool:
            # The endpoint last, so that an interrupted call can be repeated; then what was added in between.
            await _remove_what_it_has(collections, str(account_id), str(endpoint_id))
            removed = await collections.endpoints.delete_one(query)
            await _remove_what_it_has(collections, str(account_id), str(endpoint_id))
            return removed.deleted_count == 1

        return await self._database.write_at_length(remove)


async def _insert(collections: Collections, row: Row, at_most: int) -> bool:
    """False if another request took the place or the URL meanwhile."""
    others = await collections.endpoints.find({"account_id": row["account_id"]}, {"url": 1, "place": 1}).to_list(None)
    if any(other["url"] == row["url"] for other in others):
        raise UrlTaken
    taken = {other.get("place") for other in others}
    places = (f"{row['account_id']}:{number}" for number in range(at_most))
    free = next((place for place in places if place not in taken), None)
    if free is None:
        raise TooManyEndpoints
    try:
        await collections.endpoints.insert_one({**row, "place": free})
    except DuplicateKeyError:
        return False
    return True


async def _remove_what_it_has(collections: Collections, account_id: str, endpoint_id: str) -> None:
    await collections.deliveries.delete_many({"endpoint_id": endpoint_id, "account_id": account_id})
    await collections.events.delete_many({"test_of": endpoint_id, "account_id": account_id})
    await remove_counts(collections, [endpoint_id])
