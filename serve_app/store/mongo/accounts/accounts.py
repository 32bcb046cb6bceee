"""Accounts and their keys."""

import re
from collections.abc import Collection
from datetime import date, datetime
from uuid import UUID

from pymongo import DESCENDING, WriteConcern

from serve_app.domain.account import Account, AccountLimits, ApiKey, Caller, Plan
from serve_app.domain.query import ListPage, page_of
from serve_app.domain.target_precision import TargetPrecision
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.rows.codec import optional_micros, to_micros
from serve_app.store.rows.columns import account_from, account_row, key_from, limits_text

# Of an operator's plan; the contract's have no documents.
_WITH_PLAN: Row = {"$lookup": {"from": "plans", "localField": "plan", "foreignField": "_id", "as": "plans"}}
# Greater than every id.
_BEYOND_IDS = "g"


class MongoAccounts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, account: Account) -> None:
        row = account_row(account)
        row["_id"] = row.pop("id")
        await self._database.write(lambda collections: collections.accounts.insert_one(row))

    async def ensure(self, account: Account) -> None:
        row = account_row(account)
        this = {"_id": row.pop("id")}
        new = {"$setOnInsert": row}
        await self._database.write(lambda collections: collections.accounts.update_one(this, new, upsert=True))

    async def get(self, account_id: UUID) -> Account | None:
        row = await self._database.read(lambda collections: find_account(collections, str(account_id)))
        return None if row is None else account_of(row)

    async def page(self, limit: int, after: UUID | None = None) -> ListPage[Account]:
        # The version of the id says that it is a sandbox.
        query = {"_id": {"$lt": _BEYOND_IDS if after is None else str(after), "$not": re.compile("^.{14}8")}}

        async def find(collections: Collections) -> list[Row]:
            newest_first: list[Row] = [{"$match": query}, {"$sort": {"_id": DESCENDING}}, {"$limit": limit + 1}]
            return await collections.accounts.aggregate([*newest_first, _WITH_PLAN]).to_list(None)

        return page_of([account_of(row) for row in await self._database.read(find)], limit)

    async def set_plan(self, account_id: UUID, plan: Plan) -> bool:
        return await self._set(account_id, {"plan": plan.name})

    async def set_email(self, account_id: UUID, email: str | None) -> bool:
        return await self._set(account_id, {"email": email})

    async def set_limits(self, account_id: UUID, limits: AccountLimits) -> bool:
        return await self._set(account_id, {"limits": limits_text(limits)})

    async def set_suspended(self, account_id: UUID, since: datetime | None) -> bool:
        return await self._set(account_id, {"suspended_at": optional_micros(since)})

    async def set_target_precision(self, account_id: UUID, target: TargetPrecision | None) -> bool:
        return await self._set(account_id, {"target_precision": target and float(target)})

    async def _set(self, account_id: UUID, values: Row) -> bool:
        changed = await self._database.write(
            lambda collections: collections.accounts.update_one({"_id": str(account_id)}, {"$set": values})
        )
        return changed.matched_count == 1


class MongoKeys:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, key: ApiKey) -> None:
        await self._database.write(lambda collections: collections.api_keys.insert_one(_row_of(key)))

    async def find_caller(self, key_hash: str, now: datetime) -> Caller | None:
        async def find(collections: Collections) -> Caller | None:
            key = await collections.api_keys.find_one({"hash": key_hash, **_working(now)})
            account = None if key is None else await find_account(collections, key["account_id"])
            # The key's account may be in the middle of its removal.
            return None if key is None or account is None else Caller(account_of(account), _key_from(key))

        return await self._database.read(find)

    async def of_account(self, account_id: UUID) -> list[ApiKey]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.api_keys.find({"account_id": str(account_id)})
            return await found.sort("_id", DESCENDING).to_list(None)

        return [_key_from(row) for row in await self._database.read(find)]

    async def revoke(self, account_id: UUID, key_id: UUID, now: datetime) -> bool:
        valid = {"_id": str(key_id), "account_id": str(account_id), **_working(now)}
        change = {"$set": {"revoked_at": to_micros(now)}}
        revoked = await self._database.write(lambda collections: collections.api_keys.update_one(valid, change))
        return revoked.matched_count == 1

    async def replace(self, key_id: UUID, new: ApiKey, end: datetime) -> bool:
        lasting = {"_id": str(key_id), "account_id": str(new.account_id), "revoked_at": None}

        async def replace(collections: Collections) -> bool:
            if await collections.api_keys.find_one(lasting, {"_id": 1}) is None:
                return False
            # First the new key: a process that dies in between leaves one that nobody knows, rather than none.
            await collections.api_keys.insert_one(_row_of(new))
            ended = await collections.api_keys.update_one(lasting, {"$set": {"revoked_at": to_micros(end)}})
            if not ended.matched_count:
                # Replaced or revoked meanwhile.
                await collections.api_keys.delete_one({"_id": str(new.id), "account_id": str(new.account_id)})
            return bool(ended.matched_count)

        return await self._database.write(replace)

    async def note_use(self, key_ids: Collection[UUID], day: date) -> None:
        older = {"_id": {"$in": [str(id) for id in key_ids]}, "last_used_on": {"$not": {"$gte": day.isoformat()}}}
        change = {"$set": {"last_used_on": day.isoformat()}}

        async def note(collections: Collections) -> None:
            keys = collections.get_collection("api_keys", write_concern=WriteConcern(w=1))
            await keys.update_many(older, change)

        await self._database.write(note)


def _working(now: datetime) -> Row:
    return {"$or": [{"revoked_at": None}, {"revoked_at": {"$gt": to_micros(now)}}]}


def _key_from(row: Row) -> ApiKey:
    return key_from({"last_used_on": None} | named(row))


def _row_of(key: ApiKey) -> Row:
    return {
        "_id": str(key.id),
        "account_id": str(key.account_id),
        "name": key.name,
        "prefix": key.prefix,
        "scope": str(key.scope),
        "hash": key.hash,
        "created_at": to_micros(key.created_at),
        "revoked_at": optional_micros(key.revoked_at),
    }


async def find_account(collections: Collections, account_id: str) -> Row | None:
    """The account's document, with that of its plan, in one command."""
    rows = await collections.accounts.aggregate([{"$match": {"_id": account_id}}, _WITH_PLAN]).to_list(None)
    return rows[0] if rows else None


def account_of(row: Row) -> Account:
    """The account of its document, as `find_account` finds it."""
    missing = {"email": None, "target_precision": None, "limits": None, "suspended_at": None}
    return account_from(missing | named(row) | {"plan_limits": row["plans"][0]["limits"] if row["plans"] else None})
