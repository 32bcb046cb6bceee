"""How long things are kept, and the receipts of what was removed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from functools import partial
from uuid import UUID

from pymongo import ASCENDING, DESCENDING

from serve_app.domain.archive import DeliveredEvent
from serve_app.domain.erased import Erased
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.retention import Receipt, Retention
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.invoices.codec import record_from
from serve_app.store.mongo.webhooks.archiving import oldest_events, remove_archived
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.retention import receipt_from, receipt_row


class MongoRetention:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def set_rule(self, account_id: UUID, rule: Retention) -> bool:
        this, values = {"_id": str(account_id)}, {"$set": asdict(rule)}

        async def write(collections: Collections) -> bool:
            # No rule may outlive its account.
            if await collections.accounts.find_one(this, {"_id": 1}) is None:
                return False
            await collections.retention_rules.update_one(this, values, upsert=True)
            return True

        return await self._database.write(write)

    async def rules(self, account_ids: list[UUID] | None = None) -> Mapping[UUID, Retention]:
        these: Row = {} if account_ids is None else {"_id": {"$in": [str(id) for id in account_ids]}}
        rows = await self._database.read(lambda collections: collections.retention_rules.find(these).to_list(None))
        days = [field.name for field in fields(Retention)]
        return {UUID(row["_id"]): Retention(*map(row.get, days)) for row in rows}

    async def oldest_events(self, account_id: UUID, limit: int, after: str | None = None) -> list[DeliveredEvent]:
        read = partial(oldest_events, account_id=str(account_id), limit=limit, after=after)
        return await self._database.read_confirmed(read)

    async def remove_archived(self, account_id: UUID, archived: Sequence[DeliveredEvent], now: datetime) -> Erased:
        remove = partial(remove_archived, account_id=str(account_id), archived=archived, now=to_micros(now))
        return await self._database.write_at_length(remove)

    async def oldest_with_documents(self, account_id: UUID, limit: int) -> list[InvoiceRecord]:
        async def find(collections: Collections) -> list[Row]:
            rule = await collections.retention_rules.find_one({"_id": str(account_id)}) or {}
            after = {"account_id": str(account_id), "_id": {"$gt": rule.get("documents_gone_until") or ""}}
            found = collections.invoices.find(after, {"outbox": 0}).sort("_id", ASCENDING)
            return await found.limit(limit).to_list(None)

        return [record_from(row) for row in await self._database.read_confirmed(find)]

    async def note_document_gone(self, record: InvoiceRecord, now: datetime) -> bool:
        of_file = {"account_id": str(record.account_id), "file_key": record.file_key}
        gone = {"$set": {"document_gone_at": to_micros(now), "evidence_key": None}, "$inc": {"revision": 1}}

        async def note(collections: Collections) -> bool:
            finished = {"status": {"$in": ["complete", "failed"]}}
            await collections.invoices.update_many(of_file | finished | {"document_gone_at": None}, gone)
            # Each that was recorded is read no more, so one that is found here was not.
            return await collections.invoices.find_one(of_file | {"document_gone_at": None}, {"_id": 1}) is None

        return await self._database.write(note)

    async def documents_gone_until(self, record: InvoiceRecord) -> None:
        this, until = {"_id": str(record.account_id)}, {"documents_gone_until": str(record.invoice.id)}

        async def write(collections: Collections) -> None:
            # As in `set_rule`.
            if await collections.accounts.find_one(this, {"_id": 1}) is not None:
                await collections.retention_rules.update_one(this, {"$set": until}, upsert=True)

        await self._database.write(write)

    async def put_receipt(self, receipt: Receipt) -> None:
        row = receipt_row(receipt)
        this = {"_id": row.pop("id"), "account_id": row["account_id"]}
        await self._database.write(lambda collections: collections.receipts.replace_one(this, this | row, upsert=True))

    async def receipts(self, limit: int, account_id: UUID | None = None, after: UUID | None = None) -> list[Receipt]:
        where: Row = {} if account_id is None else {"account_id": str(account_id)}
        if after is not None:
            where["_id"] = {"$lt": str(after)}

        async def find(collections: Collections) -> list[Row]:
            return await collections.receipts.find(where).sort("_id", DESCENDING).limit(limit).to_list(None)

        return [receipt_from(named(row)) for row in await self._database.read_confirmed(find)]
