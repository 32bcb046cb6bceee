"""The queue of invoices, kept in the invoices' own rows."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.backlog import Backlog, Share
from serve_app.domain.invoice import Extraction, Failure, Invoice, Status
from serve_app.domain.load import PageKind
from serve_app.domain.queue_state import Stage
from serve_app.domain.record import InvoiceRecord, Release, completed, failed
from serve_app.domain.vendor import NOTHING_KNOWN, VendorDetails
from serve_app.store.fairness import LONGEST_DELAY, LONGEST_LEASE
from serve_app.store.rows.codec import optional_moment, span_micros, to_micros
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.invoices.codec import record_from
from serve_app.store.sqlite.invoices.finish import add_finished, finish
from serve_app.store.sqlite.queue.slots import ConcurrencySlots
from serve_app.telemetry.meter import count
from serve_app.telemetry.series import LOST_CLAIMS

_CLAIM = """
    UPDATE invoices SET
        status = 'processing', attempt = attempt + 1, updated_at = :now, next_run_at = :lease, stage = 'reading'
    WHERE id IN (
        SELECT id FROM invoices WHERE status = 'queued' AND turn IS NOT NULL AND next_run_at <= :now
        ORDER BY turn, id LIMIT :most
    )
    RETURNING *
"""
_RENEW = "UPDATE invoices SET next_run_at = ? WHERE id = ? AND attempt = ? AND status = 'processing'"
_RELEASE = """
    UPDATE invoices SET
        status = 'queued', next_run_at = :due, updated_at = :now,
        lost_claims = lost_claims + :lost, releases = releases + :released
    WHERE id = :id AND attempt = :attempt AND status = 'processing'
"""
# A lease that expired, or that ends later than any can. The new attempt number fences off a worker that may still be
# running.
_LOST = "status = 'processing' AND (next_run_at <= :now OR next_run_at > :latest_lease)"
_REQUEUE = f"""
    UPDATE invoices SET
        status = 'queued', next_run_at = 0, lost_claims = lost_claims + 1, attempt = attempt + 1, updated_at = :now
    WHERE {_LOST}
"""  # noqa: S608
_DELAYED = "status = 'queued' AND turn IS NOT NULL AND next_run_at > :latest_delay"
_UNDELAY = f"UPDATE invoices SET next_run_at = 0 WHERE {_DELAYED}"  # noqa: S608
_ANY_TO_REPAIR = f"""
    SELECT EXISTS (SELECT 1 FROM invoices WHERE {_LOST}) OR EXISTS (SELECT 1 FROM invoices WHERE {_DELAYED})
"""  # noqa: S608
_NOTE_MODELS = "UPDATE invoices SET stage = 'models' WHERE id = ? AND attempt = ? AND status = 'processing'"
_NOTE_PAIR = "UPDATE invoices SET pair = ? WHERE id = ? AND attempt = ? AND status = 'processing'"
_STAGES = """
    SELECT id, stage FROM invoices
    WHERE account_id = ? AND id IN (SELECT value FROM json_each(?)) AND status = 'processing'
"""
_FINISHED = """
    SELECT id FROM invoices
    WHERE id IN (SELECT value FROM json_each(?)) AND status IN ('complete', 'failed') AND outbox = '[]'
"""

_SHARES = "SELECT account_id, status, kind, documents, pages FROM backlog"
_OLDEST = "SELECT min(queued_at) FROM invoices WHERE status = 'queued'"
# A claim sets it, and the renewal of a lease does not.
_OLDEST_RUNNING = "SELECT min(updated_at) FROM invoices WHERE status = 'processing'"

_AHEAD = """
    SELECT count(*) FROM (
        SELECT 1 FROM invoices WHERE account_id = ? AND status = 'queued' AND id < ? LIMIT ?
    )
"""


class SqliteQueue:
    def __init__(self, database: Database, slots: ConcurrencySlots) -> None:
        self._database = database
        self._slots = slots
        self._looked_at = ""

    async def claim_due_invoice(self, lease: timedelta) -> InvoiceRecord | None:
        claims = await self.claim_due_invoices(lease, 1)
        return claims[0] if claims else None

    async def claim_due_invoices(self, lease: timedelta, most: int) -> list[InvoiceRecord]:
        now = self._slots.clock()
        values = {"now": to_micros(now), "lease": to_micros(now + lease), "most": most}
        rows = await self._database.write(lambda c: c.execute(_CLAIM, values).fetchall())
        return [record_from(row) for row in sorted(rows, key=lambda row: (row["turn"], row["id"]))]

    async def renew_lease(self, claim: InvoiceRecord, lease: timedelta) -> bool:
        values = (to_micros(self._slots.clock() + lease), str(claim.invoice.id), claim.attempt)
        return await self._database.write(lambda c: c.execute(_RENEW, values).rowcount == 1)

    async def release(self, claim: InvoiceRecord, delay: timedelta, why: Release) -> bool:
        now = self._slots.clock()
        values = {
            "now": to_micros(now),
            "due": to_micros(now + delay) if delay else 0,
            "lost": why is Release.CRASHED,
            "released": why is Release.OUT_OF_REACH,
            "id": str(claim.invoice.id),
            "attempt": claim.attempt,
        }
        return await self._database.write(lambda c: c.execute(_RELEASE, values).rowcount == 1)

    async def save_result(
        self,
        claim: InvoiceRecord,
        extraction: Extraction,
        now: datetime,
        siblings: Sequence[InvoiceRecord] = (),
        details: VendorDetails = NOTHING_KNOWN,
        evidence_key: str | None = None,
        drawn: float | None = None,
    ) -> Invoice | None:
        def save(connection: sqlite3.Connection) -> Invoice | None:
            result = lambda old: completed(old, extraction, now)  # noqa: E731
            saved = finish(connection, claim, result, now, details, evidence_key, drawn)
            for sibling in siblings if saved else ():
                add_finished(connection, sibling, now)
            return saved

        return await self._ended(claim, save)

    async def fail(self, claim: InvoiceRecord, failure: Failure, now: datetime) -> Invoice | None:
        return await self._ended(claim, lambda c: finish(c, claim, lambda old: failed(old, failure, now), now))

    async def _ended(
        self, claim: InvoiceRecord, work: Callable[[sqlite3.Connection], Invoice | None]
    ) -> Invoice | None:
        def end(connection: sqlite3.Connection) -> Invoice | None:
            ended = work(connection)
            if ended is not None:
                self._slots.fill(connection, str(claim.account_id))
            return ended

        return await self._database.write(end)

    async def note_models(self, claim: InvoiceRecord) -> None:
        values = (str(claim.invoice.id), claim.attempt)
        await self._database.note(lambda c: c.execute(_NOTE_MODELS, values).rowcount)

    async def note_pair(self, claim: InvoiceRecord, pair: str) -> None:
        values = (pair, str(claim.invoice.id), claim.attempt)
        await self._database.write(lambda c: c.execute(_NOTE_PAIR, values).rowcount)

    async def stages(self, account_id: UUID, ids: Collection[UUID]) -> Mapping[UUID, Stage]:
        values = (str(account_id), json.dumps([str(invoice_id) for invoice_id in ids]))
        rows = await self._database.read(lambda c: c.execute(_STAGES, values).fetchall())
        return {UUID(row["id"]): Stage(row["stage"] or Stage.READING) for row in rows}

    async def repair(self) -> int:
        now = to_micros(self._slots.clock())
        values = {
            "now": now,
            "latest_lease": now + span_micros(LONGEST_LEASE),
            "latest_delay": now + span_micros(LONGEST_DELAY),
        }

        # Called often and mostly with nothing to do: look before writing.
        def look(connection: sqlite3.Connection) -> tuple[bool, list[str], str]:
            is_any = bool(connection.execute(_ANY_TO_REPAIR, values).fetchone()[0])
            return is_any, *self._slots.with_room(connection, self._looked_at)

        def repair(connection: sqlite3.Connection) -> tuple[int, int]:
            lost, late = (connection.execute(query, values).rowcount for query in (_REQUEUE, _UNDELAY))
            return lost, late + sum(self._slots.fill(connection, account) for account in accounts)

        is_any, accounts, self._looked_at = await self._database.read(look)
        lost, others = await self._database.write(repair) if is_any or accounts else (0, 0)
        count(LOST_CLAIMS, lost)
        return lost + others

    async def backlog(self) -> Backlog:
        def look(connection: sqlite3.Connection) -> Backlog:
            shares = tuple(_share_from(row) for row in connection.execute(_SHARES))
            oldest = (optional_moment(connection.execute(sql).fetchone()[0]) for sql in (_OLDEST, _OLDEST_RUNNING))
            return Backlog(shares, *oldest)

        return await self._database.read(look)

    async def ahead(self, account_id: UUID, invoice_id: UUID, at_most: int) -> int:
        values = (str(account_id), str(invoice_id), at_most)
        found: int = await self._database.read(lambda c: c.execute(_AHEAD, values).fetchone()[0])
        return found

    async def finished_among(self, ids: Collection[UUID]) -> set[UUID]:
        ids_json = json.dumps([str(invoice_id) for invoice_id in ids])
        rows = await self._database.read(lambda c: c.execute(_FINISHED, (ids_json,)).fetchall())
        return {UUID(row["id"]) for row in rows}


def _share_from(row: sqlite3.Row) -> Share:
    what = UUID(row["account_id"]), Status(row["status"]), PageKind(row["kind"])
    return Share(*what, row["documents"], row["pages"])
