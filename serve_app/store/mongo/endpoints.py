"""Webhook endpoints."""

from dataclasses import replace
from uuid import UUID

from pymongo import ASCENDING

from serve_app.domain.event import EventType
from serve_app.domain.webhook import EndpointSecret, WebhookEndpoint
from serve_app.store.codec import from_micros, optional_micros, optional_moment, to_micros
from serve_app.store.mongo.database import Database
from serve_app.store.mongo.types import Collections, Row


class MongoEndpoints:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, endpoint: WebhookEndpoint) -> None:
        row = {"_id": str(endpoint.id), **_fields_of(endpoint), "revision": endpoint.revision}
        await self._database.write(lambda collections: collections.endpoints.insert_one(row))

    async def get(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint | None:
        query = {"_id": str(endpoint_id), "account_id": str(account_id)}
        row = await self._database.read(lambda collections: collections.endpoints.find_one(query))
        return None if row is None else _endpoint_from(row)

    async def of_account(self, account_id: UUID) -> list[WebhookEndpoint]:
        return await self._database.read(lambda collections: endpoints_of(collections, str(account_id)))

    async def replace(self, endpoint: WebhookEndpoint) -> WebhookEndpoint | None:
        as_read = {"_id": str(endpoint.id), "account_id": str(endpoint.account_id), "revision": endpoint.revision}
        change = {"$set": _fields_of(endpoint), "$inc": {"revision": 1}}
        changed = await self._database.write(lambda collections: collections.endpoints.update_one(as_read, change))
        return replace(endpoint, revision=endpoint.revision + 1) if changed.matched_count else None

    async def remove(self, account_id: UUID, endpoint_id: UUID) -> bool:
        query = {"_id": str(endpoint_id), "account_id": str(account_id)}
        deliveries = {"endpoint_id": str(endpoint_id), "account_id": str(account_id)}

        async def remove(collections: Collections) -> bool:
            # The endpoint last, so that a call that broke off can be repeated; then what came in between.
            await collections.deliveries.delete_many(deliveries)
            removed = await collections.endpoints.delete_one(query)
            await collections.deliveries.delete_many(deliveries)
            return removed.deleted_count == 1

        return await self._database.write(remove)


async def endpoints_of(collections: Collections, account_id: str) -> list[WebhookEndpoint]:
    """The account's endpoints, oldest first."""
    rows = await collections.endpoints.find({"account_id": account_id}).sort("_id", ASCENDING).to_list(None)
    return [_endpoint_from(row) for row in rows]


def _fields_of(endpoint: WebhookEndpoint) -> Row:
    return {
        "account_id": str(endpoint.account_id),
        "url": endpoint.url,
        "types": [str(type) for type in endpoint.types],
        "secrets": [{"sealed": one.sealed, "expires_at": optional_micros(one.expires_at)} for one in endpoint.secrets],
        "created_at": to_micros(endpoint.created_at),
        "paused_reason": endpoint.paused_reason,
        "failing_since": optional_micros(endpoint.failing_since),
    }


def _endpoint_from(row: Row) -> WebhookEndpoint:
    return WebhookEndpoint(
        id=UUID(row["_id"]),
        account_id=UUID(row["account_id"]),
        url=row["url"],
        types=tuple(EventType(type) for type in row["types"]),
        secrets=tuple(EndpointSecret(one["sealed"], optional_moment(one["expires_at"])) for one in row["secrets"]),
        created_at=from_micros(row["created_at"]),
        paused_reason=row["paused_reason"],
        failing_since=optional_moment(row["failing_since"]),
        revision=row["revision"],
    )
