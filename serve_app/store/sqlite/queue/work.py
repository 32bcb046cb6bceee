"""Who works on what."""

import json
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from serve_app.domain.clock import Clock
from serve_app.domain.folding import folded
from serve_app.domain.work import (
    LATEST_END,
    Lease,
    Reader,
    WorkCounts,
    WorkItem,
    WorkOrder,
    WorkQuery,
    may_take,
    renewed,
)
from serve_app.store.rows.codec import span_micros, to_micros
from serve_app.store.rows.invoices import lease_from, lease_text
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.rows import find_row
from serve_app.store.sqlite.invoices.codec import record_from

# One by one, because a join would lose the order.
_ROW = "SELECT * FROM invoices WHERE id = ?"
_SET_LEASE = "UPDATE invoices SET review_lease = ? WHERE id = ?"
_END_LEASE = """
    UPDATE invoices SET review_lease = NULL
    WHERE id = :id AND account_id = :account AND review_lease ->> '$.window' = :window
"""
_ASSIGN = """
    UPDATE invoices SET assignee = :person
    WHERE account_id = :account AND id IN (SELECT value FROM json_each(:ids))
"""
_PUT_OFF = """
    UPDATE invoices SET put_off = json_set(ifnull(put_off, '{}'), :person, :now)
    WHERE id = :id AND account_id = :account
"""
# The row itself is looked at only of those that anybody has put off: the others are sorted by what the index has.
_PUT_OFF_LAST = """
    CASE WHEN id IN (
        SELECT id FROM invoices INDEXED BY invoices_put_off
        WHERE account_id = :account AND needs_person = 1 AND put_off IS NOT NULL
    ) THEN put_off ->> :person END,
"""
_ORDERS = {
    WorkOrder.DUE: "due_at IS NULL, due_at, id",
    WorkOrder.AMOUNT: "amount DESC, id",
    WorkOrder.AGE: "id",
    WorkOrder.VENDOR: "vendor_folded, id",
    WorkOrder.DOUBT: "quality, id",
}
_OVER = f"review_lease ->> '$.until' NOT BETWEEN :now + 1 AND :now + {span_micros(LATEST_END)}"
_FREE = f"(review_lease IS NULL OR {_OVER} OR review_lease ->> '$.window' = :free_for)"
_COUNTS = """
    SELECT
        (SELECT count(*) FROM (
            SELECT 1 FROM invoices INDEXED BY invoices_to_check
            WHERE account_id = :account AND needs_person = 1 LIMIT :most
        )) AS waiting,
        (SELECT count(*) FROM (
            SELECT 1 FROM invoices WHERE account_id = :account AND reviewed_at >= :since LIMIT :most
        )) AS decided
"""


class SqliteWork:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def take(
        self, account_id: UUID, invoice_id: UUID, reader: Reader, lease: timedelta, *, by_force: bool = False
    ) -> Lease | None:
        now = self._clock()

        def take(connection: sqlite3.Connection) -> Lease | None:
            row = find_row(connection, account_id, invoice_id)
            if row is None:
                return None
            held = lease_from(row["review_lease"])
            if not by_force and not may_take(held, reader, now):
                return held
            taken = renewed(held, reader, now, lease)
            connection.execute(_SET_LEASE, (lease_text(taken), row["id"]))
            return taken

        return await self._database.write(take)

    async def release_lease(self, account_id: UUID, invoice_id: UUID, window: str) -> None:
        values = {"id": str(invoice_id), "account": str(account_id), "window": window}
        await self._database.write(lambda c: c.execute(_END_LEASE, values).rowcount)

    async def assign(self, account_id: UUID, invoice_ids: Collection[UUID], person_id: UUID | None) -> int:
        values = {
            "account": str(account_id),
            "ids": json.dumps([str(id) for id in invoice_ids]),
            "person": None if person_id is None else str(person_id),
        }
        return await self._database.write(lambda c: c.execute(_ASSIGN, values).rowcount)

    async def snooze(self, account_id: UUID, invoice_id: UUID, person_id: UUID) -> bool:
        values = {
            **{"id": str(invoice_id), "account": str(account_id)},
            **{"person": _path_of(person_id), "now": to_micros(self._clock())},
        }
        return await self._database.write(lambda c: c.execute(_PUT_OFF, values).rowcount == 1)

    async def waiting(self, account_id: UUID, query: WorkQuery, limit: int, skip: int = 0) -> list[WorkItem]:
        conditions, values = _conditions(account_id, query)
        values |= {"now": to_micros(self._clock()), "limit": limit, "skip": skip}
        put_off_last = ""
        if query.put_off_by is not None:
            put_off_last, values["person"] = _PUT_OFF_LAST, _path_of(query.put_off_by)
        # Built from the constants above.
        ids = f"""
            SELECT id FROM invoices INDEXED BY invoices_to_check WHERE {" AND ".join(conditions)}
            ORDER BY {put_off_last} {_ORDERS[query.order]} LIMIT :limit OFFSET :skip
        """  # noqa: S608

        def find(connection: sqlite3.Connection) -> list[sqlite3.Row]:
            found = connection.execute(ids, values).fetchall()
            return [connection.execute(_ROW, (row["id"],)).fetchone() for row in found]

        records = [record_from(row) for row in await self._database.search(find)]
        return [WorkItem(record.invoice, record.lease, record.assignee) for record in records]

    async def counts(self, account_id: UUID, since: datetime, at_most: int) -> WorkCounts:
        values = {"account": str(account_id), "since": to_micros(since), "most": at_most}
        (row,) = await self._database.rows(_COUNTS, values, is_search=True)
        return WorkCounts(row["waiting"], row["decided"])


def _path_of(person_id: UUID) -> str:
    """Where the moment stands at which the person has put an invoice off."""
    return f'$."{person_id}"'


def _conditions(account_id: UUID, query: WorkQuery) -> tuple[list[str], dict[str, Any]]:
    conditions, values = ["account_id = :account", "needs_person = 1"], {"account": str(account_id)}
    if query.vendor is not None:
        conditions.append("instr(vendor_folded, :vendor) > 0")
        values["vendor"] = folded(query.vendor)
    if query.assignee is not None:
        conditions.append("assignee = :assignee")
        values["assignee"] = str(query.assignee)
    if query.unassigned:
        conditions.append("assignee IS NULL")
    if query.free_for is not None:
        conditions.append(_FREE)
        values["free_for"] = query.free_for
    return conditions, values
