"""Purchase orders."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.order_selection import OrderCandidates
from serve_app.domain.purchase_order import OrderQuery, PurchaseOrder, order_key
from serve_app.domain.query import ListPage, page_of
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.purchase_orders import check_micros, order_from, order_row, rules_from
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.vendors.vendors import keys_alike

_COLUMNS = (
    "id, account_id, number, number_key, vendor, vendor_key, currency, ordered_on, status, lines, created_at, "
    "updated_at, revision, check_at, changes"
)
_ADD = f"""
    INSERT INTO purchase_orders ({_COLUMNS})
    SELECT :id, id, :number, :number_key, :vendor, :vendor_key, :currency, :ordered_on, :status, :lines, :created_at,
        :updated_at, :revision, :check_at, :changes
    FROM accounts WHERE id = :account_id
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - a constant
_REPLACE = """
    UPDATE OR IGNORE purchase_orders SET
        number = :number, number_key = :number_key, vendor = :vendor, vendor_key = :vendor_key, currency = :currency,
        ordered_on = :ordered_on, status = :status, lines = :lines, updated_at = :updated_at, revision = :revision,
        check_at = max(check_at, :check_at), changes = :changes
    WHERE id = :id AND account_id = :account_id AND revision = :over
"""
_REMOVE = "DELETE FROM purchase_orders WHERE account_id = ? AND id = ?"
_GET = """
    SELECT * FROM purchase_orders
    WHERE +account_id = :account AND id IN (SELECT value FROM json_each(:ids)) ORDER BY id
"""
_NUMBERED = """
    SELECT * FROM purchase_orders
    WHERE account_id = :account AND number_key IN (SELECT value FROM json_each(:keys)) ORDER BY +id
"""
_OF_VENDOR = """
    SELECT * FROM purchase_orders
    WHERE account_id = :account AND vendor_key IN (SELECT value FROM json_each(:keys))
    ORDER BY +id DESC LIMIT :limit
"""
_CHECK_AGAIN = """
    UPDATE purchase_orders SET check_at = max(check_at, :at)
    WHERE account_id = :account AND id IN (SELECT value FROM json_each(:ids))
"""
_DUE = "SELECT * FROM purchase_orders WHERE check_at > 0 AND check_at <= :now ORDER BY check_at, id LIMIT :limit"
_CHECKED = """
    UPDATE purchase_orders SET check_at = 0
    WHERE account_id = :account AND id = :id AND revision = :revision AND check_at = :at
"""
_RULES = "SELECT order_rules FROM accounts WHERE id = ?"
_MATCHING_RULES = """
    SELECT order_rules FROM accounts
    WHERE id = ? AND EXISTS (SELECT 1 FROM purchase_orders WHERE account_id = accounts.id)
"""
_SET_RULES = "UPDATE accounts SET order_rules = :rules WHERE id = :account"
_CONDITIONS = {
    "after": "id < :after",
    "status": "status = :status",
    "number": "number_key = :number",
    "vendor": "vendor_key = :vendor",
}


class SqlitePurchaseOrders:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, order: PurchaseOrder) -> bool:
        return await self._changes(_ADD, {"id": str(order.id), **order_row(order)})

    async def replace(self, order: PurchaseOrder, over: int) -> bool:
        return await self._changes(_REPLACE, {"id": str(order.id), "over": over, **order_row(order)})

    async def remove(self, account_id: UUID, order_id: UUID) -> bool:
        values = (str(account_id), str(order_id))
        return await self._database.write(lambda c: c.execute(_REMOVE, values).rowcount == 1)

    async def get(self, account_id: UUID, order_ids: Collection[UUID]) -> list[PurchaseOrder]:
        return await self._orders(_GET, {"account": str(account_id), "ids": _texts(order_ids)})

    async def page(
        self, account_id: UUID, query: OrderQuery, limit: int, after: UUID | None = None
    ) -> ListPage[PurchaseOrder]:
        values: dict[str, object] = {
            "after": None if after is None else str(after),
            "status": query.status,
            "number": None if query.number is None else order_key(query.number),
            "vendor": None if query.vendor is None else normalise_vendor(query.vendor),
        }
        conditions = " AND ".join(
            ["account_id = :account", *(text for name, text in _CONDITIONS.items() if values[name] is not None)]
        )
        # Built from the constants above.
        statement = f"SELECT * FROM purchase_orders WHERE {conditions} ORDER BY id DESC LIMIT :limit"  # noqa: S608
        values |= {"account": str(account_id), "limit": limit + 1}
        rows = await self._database.rows(statement, values, is_search=True)
        return page_of([order_from(row) for row in rows], limit)

    async def numbered(self, account_id: UUID, keys: Collection[str]) -> list[PurchaseOrder]:
        return await self._orders(_NUMBERED, {"account": str(account_id), "keys": _texts(keys)})

    async def candidates(
        self, account_id: UUID, number_keys: Collection[str], vendor_key: str, limit: int
    ) -> OrderCandidates:
        account = str(account_id)

        def find(connection: sqlite3.Connection) -> tuple[list[sqlite3.Row], list[sqlite3.Row], set[str]]:
            names = {vendor_key} | keys_alike(connection, account, [vendor_key]) if vendor_key else set()
            numbered = connection.execute(_NUMBERED, {"account": account, "keys": _texts(number_keys)}).fetchall()
            of_vendor = {"account": account, "keys": _texts(names), "limit": limit}
            return numbered, connection.execute(_OF_VENDOR, of_vendor).fetchall(), names

        numbered, of_vendor, names = await self._database.read(find)
        return OrderCandidates([*map(order_from, numbered)], [*map(order_from, of_vendor)], names)

    async def rules(self, account_id: UUID) -> OrderRules:
        return await self._rules_of(_RULES, account_id) or OrderRules()

    async def matching_rules(self, account_id: UUID) -> OrderRules | None:
        return await self._rules_of(_MATCHING_RULES, account_id)

    async def set_rules(self, account_id: UUID, rules: OrderRules) -> bool:
        return await self._changes(_SET_RULES, {"account": str(account_id), "rules": rules.model_dump_json()})

    async def check_again(self, account_id: UUID, order_ids: Collection[UUID], at: datetime) -> None:
        values = {"account": str(account_id), "ids": _texts(order_ids), "at": to_micros(at)}
        await self._database.write(lambda c: c.execute(_CHECK_AGAIN, values).rowcount)

    async def due(self, now: datetime, limit: int) -> Sequence[PurchaseOrder]:
        return await self._orders(_DUE, {"now": to_micros(now), "limit": limit})

    async def checked(self, order: PurchaseOrder) -> None:
        this = {"account": str(order.account_id), "id": str(order.id)}
        await self._changes(_CHECKED, this | {"revision": order.revision, "at": check_micros(order)})

    async def _rules_of(self, statement: str, account_id: UUID) -> OrderRules | None:
        row = await self._database.read(lambda c: c.execute(statement, (str(account_id),)).fetchone())
        return None if row is None else rules_from(row["order_rules"])

    async def _orders(self, statement: str, values: Mapping[str, object]) -> list[PurchaseOrder]:
        return [order_from(row) for row in await self._database.rows(statement, values, is_search=False)]

    async def _changes(self, statement: str, values: Mapping[str, object]) -> bool:
        return await self._database.write(lambda c: c.execute(statement, values).rowcount == 1)


def _texts(values: Collection[object]) -> str:
    return json.dumps([str(value) for value in values], ensure_ascii=False)
