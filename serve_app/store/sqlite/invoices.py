"""Invoices: the rows, and the queue that they are."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from serve_app.domain.invoice import Extraction, Failure, Invoice
from serve_app.domain.record import InvoiceRecord, Release, completed, failed
from serve_app.store.sqlite.codec import record_from, to_micros
from serve_app.store.sqlite.connection import Database
from serve_app.store.sqlite.finish import add_finished, finish
from serve_app.store.sqlite.insert import insert
from serve_app.store.sqlite.limits import take_unit

_FINISHED = """
    SELECT id FROM invoices WHERE id IN (SELECT value FROM json_each(?)) AND status IN ('complete', 'failed')
"""
# A row that is due and still `processing` is one whose lease ran out.
_CLAIM = """
    UPDATE invoices SET
        lost_claims = lost_claims + (status = 'processing'),
        status = 'processing', attempt = attempt + 1, updated_at = :now, next_run_at = :lease
    WHERE id = (SELECT id FROM invoices WHERE next_run_at <= :now ORDER BY next_run_at, id LIMIT 1)
    RETURNING *
"""
# A new attempt shuts out the worker that may still be at it.
_REQUEUE = """
    UPDATE invoices SET status = 'queued', lost_claims = lost_claims + 1, attempt = attempt + 1, updated_at = :now
    WHERE status = 'processing' AND next_run_at <= :now
"""
_RENEW = "UPDATE invoices SET next_run_at = ? WHERE id = ? AND attempt = ? AND status = 'processing'"
_RELEASE = """
    UPDATE invoices SET
        status = 'queued', next_run_at = :due,
        lost_claims = lost_claims + :lost, releases = releases + :released
    WHERE id = :id AND attempt = :attempt AND status = 'processing'
"""


class SqliteInvoices:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, record: InvoiceRecord, month: datetime, limit: int | None) -> None:
        def add(connection: sqlite3.Connection) -> None:
            take_unit(connection, record.account_id, month, limit)
            insert(connection, record)

        await self._database.write(add)

    async def get(self, account_id: UUID, invoice_id: UUID) -> Invoice | None:
        record = await self.find_record(account_id, invoice_id)
        return None if record is None else record.invoice

    async def find_record(self, account_id: UUID, invoice_id: UUID) -> InvoiceRecord | None:
        query = "SELECT * FROM invoices WHERE id = ? AND account_id = ?"
        row = await self._database.read(lambda c: c.execute(query, (str(invoice_id), str(account_id))).fetchone())
        return None if row is None else record_from(row)

    async def finished_among(self, ids: Collection[UUID]) -> set[UUID]:
        wanted = json.dumps([str(one) for one in ids])
        rows = await self._database.read(lambda c: c.execute(_FINISHED, (wanted,)).fetchall())
        return {UUID(row["id"]) for row in rows}

    async def claim_due_invoice(self, now: datetime, lease_until: datetime) -> InvoiceRecord | None:
        values = {"now": to_micros(now), "lease": to_micros(lease_until)}
        row = await self._database.write(lambda c: c.execute(_CLAIM, values).fetchone())
        return None if row is None else record_from(row)

    async def requeue_lost_claims(self, now: datetime) -> int:
        return await self._database.write(lambda c: c.execute(_REQUEUE, {"now": to_micros(now)}).rowcount)

    async def renew_lease(self, claim: InvoiceRecord, lease_until: datetime) -> bool:
        values = (to_micros(lease_until), str(claim.invoice.id), claim.attempt)
        return await self._database.write(lambda c: c.execute(_RENEW, values).rowcount == 1)

    async def release(self, claim: InvoiceRecord, due: datetime, why: Release) -> bool:
        values = {
            "due": to_micros(due),
            "lost": why is Release.CRASHED,
            "released": why is Release.OUT_OF_REACH,
            "id": str(claim.invoice.id),
            "attempt": claim.attempt,
        }
        return await self._database.write(lambda c: c.execute(_RELEASE, values).rowcount == 1)

    async def save_result(
        self, claim: InvoiceRecord, extraction: Extraction, now: datetime, siblings: Sequence[InvoiceRecord] = ()
    ) -> Invoice | None:
        def save(connection: sqlite3.Connection) -> Invoice | None:
            saved = finish(connection, claim, lambda old: completed(old, extraction, now), now)
            for sibling in siblings if saved else ():
                add_finished(connection, sibling, now)
            return saved

        return await self._database.write(save)

    async def fail(self, claim: InvoiceRecord, failure: Failure, now: datetime) -> Invoice | None:
        return await self._database.write(lambda c: finish(c, claim, lambda old: failed(old, failure, now), now))
