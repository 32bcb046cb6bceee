"""Purchase orders."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from pymongo import ASCENDING, DESCENDING
from pymongo.errors import DuplicateKeyError

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.order_selection import OrderCandidates
from serve_app.domain.purchase_order import OrderQuery, PurchaseOrder, order_key
from serve_app.domain.query import ListPage, page_of
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.vendors.groups import keys_alike
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.purchase_orders import check_micros, order_from, order_row, rules_from

_BY_ID = [("_id", ASCENDING)]
_NEWEST = [("_id", DESCENDING)]


class MongoPurchaseOrders:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, order: PurchaseOrder) -> bool:
        row = {"_id": str(order.id), **order_row(order)}

        async def add(collections: Collections) -> bool:
            # No order may outlive its account.
            if await collections.accounts.find_one({"_id": row["account_id"]}, {"_id": 1}) is None:
                return False
            with suppress(DuplicateKeyError):
                await collections.purchase_orders.insert_one(row)
                return True
            return False

        return await self._database.write(add)

    async def replace(self, order: PurchaseOrder, over: int) -> bool:
        this = {"_id": str(order.id), "account_id": str(order.account_id), "revision": over}

        async def replace(collections: Collections) -> bool:
            with suppress(DuplicateKeyError):
                row = order_row(order)
                change = {"$max": {"check_at": row.pop("check_at")}, "$set": row}
                return (await collections.purchase_orders.update_one(this, change)).matched_count == 1
            return False

        return await self._database.write(replace)

    async def remove(self, account_id: UUID, order_id: UUID) -> bool:
        this = {"_id": str(order_id), "account_id": str(account_id)}

        async def remove(collections: Collections) -> bool:
            return (await collections.purchase_orders.delete_one(this)).deleted_count == 1

        return await self._database.write(remove)

    async def get(self, account_id: UUID, order_ids: Collection[UUID]) -> list[PurchaseOrder]:
        these = {"_id": {"$in": [str(id) for id in order_ids]}, "account_id": str(account_id)}
        return await self._orders(these, _BY_ID)

    async def page(
        self, account_id: UUID, query: OrderQuery, limit: int, after: UUID | None = None
    ) -> ListPage[PurchaseOrder]:
        values = {
            "status": None if query.status is None else str(query.status),
            "number_key": None if query.number is None else order_key(query.number),
            "vendor_key": None if query.vendor is None else normalise_vendor(query.vendor),
            "_id": None if after is None else {"$lt": str(after)},
        }
        these = {"account_id": str(account_id)} | {name: value for name, value in values.items() if value is not None}
        return page_of(await self._orders(these, _NEWEST, limit + 1), limit)

    async def numbered(self, account_id: UUID, keys: Collection[str]) -> list[PurchaseOrder]:
        return await self._orders({"account_id": str(account_id), "number_key": {"$in": list(keys)}}, _BY_ID)

    async def candidates(
        self, account_id: UUID, number_keys: Collection[str], vendor_key: str, limit: int
    ) -> OrderCandidates:
        this = {"account_id": str(account_id)}

        async def find(collections: Collections) -> tuple[list[Row], list[Row], set[str]]:
            names = {vendor_key} | await keys_alike(collections, str(account_id), [vendor_key]) if vendor_key else set()
            orders = collections.purchase_orders
            numbered = orders.find(this | {"number_key": {"$in": list(number_keys)}}).sort(_BY_ID)
            of_vendor = orders.find(this | {"vendor_key": {"$in": list(names)}}).sort(_NEWEST).limit(limit)
            return await numbered.to_list(None), await of_vendor.to_list(None), names

        numbered, of_vendor, names = await self._database.read(find)
        return OrderCandidates(_orders_of(numbered), _orders_of(of_vendor), names)

    async def rules(self, account_id: UUID) -> OrderRules:
        return await self._database.read(lambda collections: _rules_of(collections, account_id)) or OrderRules()

    async def matching_rules(self, account_id: UUID) -> OrderRules | None:
        async def find(collections: Collections) -> OrderRules | None:
            # Most accounts have none, and need no second read.
            if await collections.purchase_orders.find_one({"account_id": str(account_id)}, {"_id": 1}) is None:
                return None
            return await _rules_of(collections, account_id)

        return await self._database.read(find)

    async def set_rules(self, account_id: UUID, rules: OrderRules) -> bool:
        change = {"$set": {"order_rules": rules.model_dump_json()}}
        changed = await self._database.write(lambda c: c.accounts.update_one({"_id": str(account_id)}, change))
        return changed.matched_count == 1

    async def check_again(self, account_id: UUID, order_ids: Collection[UUID], at: datetime) -> None:
        these = {"account_id": str(account_id), "_id": {"$in": [str(id) for id in order_ids]}}
        change = {"$max": {"check_at": to_micros(at)}}
        await self._database.write(lambda collections: collections.purchase_orders.update_many(these, change))

    async def due(self, now: datetime, limit: int) -> Sequence[PurchaseOrder]:
        these = {"check_at": {"$gt": 0, "$lte": to_micros(now)}}
        return await self._orders(these, [("check_at", ASCENDING), ("_id", ASCENDING)], limit)

    async def checked(self, order: PurchaseOrder) -> None:
        this: Row = {"_id": str(order.id), "account_id": str(order.account_id)}
        this |= {"revision": order.revision, "check_at": check_micros(order)}
        change = {"$set": {"check_at": 0}}
        await self._database.write(lambda collections: collections.purchase_orders.update_one(this, change))

    async def _orders(self, these: Row, order: list[tuple[str, int]], limit: int = 0) -> list[PurchaseOrder]:
        async def find(collections: Collections) -> list[Row]:
            return await collections.purchase_orders.find(these).sort(order).limit(limit).to_list(None)

        return _orders_of(await self._database.read(find))


async def _rules_of(collections: Collections, account_id: UUID) -> OrderRules | None:
    row = await collections.accounts.find_one({"_id": str(account_id)}, {"order_rules": 1})
    return None if row is None else rules_from(row.get("order_rules"))


def _orders_of(rows: Iterable[Row]) -> list[PurchaseOrder]:
    return [order_from(named(row)) for row in rows]
