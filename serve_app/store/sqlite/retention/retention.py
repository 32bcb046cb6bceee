"""How long things are kept, and the receipts of what was removed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from uuid import UUID

from serve_app.domain.archive import DeliveredEvent
from serve_app.domain.erased import Erased
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.retention import Receipt, Retention
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.retention import receipt_from, receipt_row
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.invoices.codec import record_from
from serve_app.store.sqlite.webhooks.archiving import oldest_events, remove_archived

_SET = """
    INSERT INTO retention_rules (account_id, values_days, events_days, documents_days, country)
    SELECT id, :values_days, :events_days, :documents_days, :country FROM accounts WHERE id = :account
    ON CONFLICT (account_id) DO UPDATE SET values_days = excluded.values_days, events_days = excluded.events_days,
        documents_days = excluded.documents_days, country = excluded.country
"""
_WITH_DOCUMENTS = """
    SELECT * FROM invoices WHERE account_id = :account AND id > ifnull(
        (SELECT documents_gone_until FROM retention_rules WHERE account_id = :account), ''
    ) ORDER BY id LIMIT :limit
"""
_UNFINISHED = """
    SELECT 1 FROM invoices
    WHERE account_id = :account AND file_key = :file AND status NOT IN ('complete', 'failed') LIMIT 1
"""
_GONE = """
    UPDATE invoices SET document_gone_at = ifnull(document_gone_at, :now), evidence_key = NULL
    WHERE account_id = :account AND file_key = :file
"""
_GONE_UNTIL = """
    INSERT INTO retention_rules (account_id, documents_gone_until) SELECT id, :invoice FROM accounts WHERE id = :account
    ON CONFLICT (account_id) DO UPDATE SET documents_gone_until = excluded.documents_gone_until
"""
_RULES = "SELECT * FROM retention_rules WHERE :ids IS NULL OR account_id IN (SELECT value FROM json_each(:ids))"
_PUT = """
    INSERT OR REPLACE INTO receipts (id, account_id, why, begun_at, done_at, before, erased)
    VALUES (:id, :account_id, :why, :begun_at, :done_at, :before, :erased)
"""
_RECEIPTS = "SELECT * FROM receipts WHERE {which} AND (:after IS NULL OR id < :after) ORDER BY id DESC LIMIT :limit"


class SqliteRetention:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def set_rule(self, account_id: UUID, rule: Retention) -> bool:
        values = {"account": str(account_id), **asdict(rule)}
        return await self._database.write(lambda c: c.execute(_SET, values).rowcount == 1)

    async def rules(self, account_ids: list[UUID] | None = None) -> Mapping[UUID, Retention]:
        ids = None if account_ids is None else json.dumps([str(id) for id in account_ids])
        rows = await self._database.read(lambda c: c.execute(_RULES, {"ids": ids}).fetchall())
        days = [field.name for field in fields(Retention)]
        return {UUID(row["account_id"]): Retention(*(row[name] for name in days)) for row in rows}

    async def oldest_events(self, account_id: UUID, limit: int, after: str | None = None) -> list[DeliveredEvent]:
        return await self._database.read(lambda c: oldest_events(c, str(account_id), limit, after))

    async def remove_archived(self, account_id: UUID, archived: Sequence[DeliveredEvent], now: datetime) -> Erased:
        return await self._database.write(lambda c: remove_archived(c, str(account_id), archived, to_micros(now)))

    async def oldest_with_documents(self, account_id: UUID, limit: int) -> list[InvoiceRecord]:
        values = {"account": str(account_id), "limit": limit}
        rows = await self._database.read(lambda c: c.execute(_WITH_DOCUMENTS, values).fetchall())
        return [record_from(row) for row in rows]

    async def note_document_gone(self, record: InvoiceRecord, now: datetime) -> bool:
        values = {"account": str(record.account_id), "file": record.file_key, "now": to_micros(now)}

        def note(connection: sqlite3.Connection) -> bool:
            if connection.execute(_UNFINISHED, values).fetchone() is not None:
                return False
            connection.execute(_GONE, values)
            return True

        return await self._database.write(note)

    async def documents_gone_until(self, record: InvoiceRecord) -> None:
        values = {"account": str(record.account_id), "invoice": str(record.invoice.id)}
        await self._database.write(lambda c: c.execute(_GONE_UNTIL, values))

    async def put_receipt(self, receipt: Receipt) -> None:
        row = receipt_row(receipt)
        await self._database.write(lambda c: c.execute(_PUT, row))

    async def receipts(self, limit: int, account_id: UUID | None = None, after: UUID | None = None) -> list[Receipt]:
        query = _RECEIPTS.format(which="account_id = :account" if account_id else "1")
        values = {"account": str(account_id), "after": after and str(after), "limit": limit}
        rows = await self._database.read(lambda c: c.execute(query, values).fetchall())
        return [receipt_from(row) for row in rows]
