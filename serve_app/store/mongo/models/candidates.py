"""Comparisons of candidates with the first pair of models, and canaries."""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from pymongo import ASCENDING, DESCENDING
from pymongo.errors import DuplicateKeyError

from serve_app.domain.canary import Canary, CanaryRun
from serve_app.domain.comparison import COMPARISON_LIFE, Comparison, Signs
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.retention.expiry import purge_at
from serve_app.store.rows.candidates import (
    canary_from,
    canary_row,
    comparison_from,
    comparison_row,
    run_from,
    run_row,
    signs_from,
    without_account,
)
from serve_app.store.rows.codec import to_micros

_PRESENT = {"_id": "present"}
_ANY = {"id": {"$gt": ""}}


class MongoComparisons:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, comparisons: Collection[Comparison]) -> None:
        async def put(collections: Collections) -> None:
            for each in comparisons:
                await _put(collections, "comparisons", each.invoice_id, comparison_row(each))

        await self._database.write(put)

    async def of_invoice(self, account_id: UUID, invoice_id: UUID) -> Comparison | None:
        this = {"_id": str(invoice_id), "account_id": str(account_id)}
        row = await self._database.read(lambda collections: collections.comparisons.find_one(this))
        return None if row is None else comparison_from(named(row))

    async def candidates(self) -> list[str]:
        async def find(collections: Collections) -> list[str]:
            return await collections.comparisons.distinct("candidate", {"candidate": {"$gt": ""}})

        return sorted(await self._database.read(find))

    async def newest(self, candidate: str, limit: int) -> list[Comparison]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.comparisons.find({"candidate": candidate})
            return await found.sort("at", DESCENDING).limit(limit).to_list(None)

        return [comparison_from(named(row)) for row in await self._database.read(find)]

    async def signs(self, canary_id: UUID, limit: int) -> list[Signs]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.comparisons.find({"canary_id": str(canary_id)})
            return await found.sort("at", ASCENDING).limit(limit).to_list(None)

        return [signs_from(row) for row in await self._database.read(find)]


class MongoCanaries:
    """The present canary is the document "present"; earlier ones have their own ids."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def present(self) -> Canary | None:
        row = await self._database.read(lambda collections: collections.canaries.find_one(_PRESENT))
        return None if row is None else canary_from(row)

    async def put(self, canary: Canary, over: Canary | None) -> bool:
        async def put(collections: Collections) -> bool:
            if over is None:
                with suppress(DuplicateKeyError):
                    await collections.canaries.insert_one(_PRESENT | canary_row(canary))
                    return True
                return False
            if over.id != canary.id:
                # Before it is replaced: a crash between the two leaves it twice, with one id.
                await collections.canaries.replace_one({"_id": str(over.id)}, canary_row(over), upsert=True)
            this = _PRESENT | {"id": str(over.id), "revision": over.revision}
            return (await collections.canaries.replace_one(this, canary_row(canary))).matched_count == 1

        return await self._database.write(put)

    async def newest(self, limit: int) -> list[Canary]:
        async def find(collections: Collections) -> list[Row]:
            return await collections.canaries.find(_ANY).sort("id", DESCENDING).limit(limit + 1).to_list(None)

        rows = {row["id"]: row for row in sorted(await self._database.read(find), key=lambda row: row["revision"])}
        return [canary_from(rows[id]) for id in sorted(rows, reverse=True)][:limit]

    async def add_run(self, run: CanaryRun) -> None:
        await self._database.write(lambda collections: _put(collections, "canary_runs", run.invoice_id, run_row(run)))

    async def note_decision(self, account_id: UUID, invoice_id: UUID, at: datetime, *, corrected: bool) -> None:
        this = {"_id": str(invoice_id), "account_id": str(account_id), "decided_at": None}
        values = {"decided_at": to_micros(at), "corrected": int(corrected)}

        async def note(collections: Collections) -> None:
            await collections.canary_runs.update_one(this, {"$set": values})

        await self._database.write(note)

    async def runs(self, canary_id: UUID, limit: int) -> list[CanaryRun]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.canary_runs.find({"canary_id": str(canary_id)})
            return await found.sort("at", ASCENDING).limit(limit).to_list(None)

        return [run_from(named(row)) for row in await self._database.read(find)]


async def _put(collections: Collections, name: str, invoice_id: UUID, values: Row) -> None:
    """Nothing for an invoice that was erased; if that happens meanwhile, the row is removed again."""
    this = {"_id": str(invoice_id), "account_id": values["account_id"]}
    if await collections.invoices.find_one(this, {"_id": 1}) is None:
        return
    await collections[name].update_one(this, {"$set": values | {"purge_at": purge_at(COMPARISON_LIFE)}}, upsert=True)
    if await collections.invoices.find_one(this, {"_id": 1}) is None:
        await collections[name].delete_one(this)


async def forget_account(collections: Collections, account_id: str) -> None:
    """Remove an account that is erased from the canaries that were for it."""
    for row in await collections.canaries.find(_ANY).to_list(None):
        if account_id in (row["accounts"] or ""):
            values = {"accounts": without_account(row["accounts"], account_id)}
            await collections.canaries.update_one({"_id": row["_id"]}, {"$set": values, "$inc": {"revision": 1}})
