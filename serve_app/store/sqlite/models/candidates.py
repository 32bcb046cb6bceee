"""Comparisons of candidates with the first pair of models, and canaries."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from serve_app.domain.canary import Canary, CanaryRun
from serve_app.domain.comparison import Comparison, Signs
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
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

# Nothing for an invoice that was erased meanwhile.
_PUT = """
    INSERT OR REPLACE INTO comparisons
        (id, account_id, candidate, at, is_answer, canary_id, agreement, high, sums, differences)
    SELECT :id, :account_id, :candidate, :at, :is_answer, :canary_id, :agreement, :high, :sums, :differences
    WHERE EXISTS (SELECT 1 FROM invoices WHERE id = :id AND account_id = :account_id)
"""
_OF_INVOICE = "SELECT * FROM comparisons WHERE id = ? AND account_id = ?"
_NEWEST = "SELECT * FROM comparisons WHERE candidate = ? ORDER BY at DESC LIMIT ?"
_CANDIDATES = "SELECT DISTINCT candidate FROM comparisons ORDER BY candidate"
_SIGNS = "SELECT agreement, high, sums FROM comparisons WHERE canary_id = ? ORDER BY at LIMIT ?"
_CANARIES = "SELECT * FROM canaries ORDER BY id DESC LIMIT ?"
_PUT_CANARY = """
    INSERT OR REPLACE INTO canaries
        (id, pair, share, started_at, stepped_at, accounts, steps_itself, state, ended_at, reason, evidence, revision)
    VALUES
        (:id, :pair, :share, :started_at, :stepped_at, :accounts, :steps_itself, :state, :ended_at, :reason, :evidence,
         :revision)
"""
_ADD_RUN = """
    INSERT OR REPLACE INTO canary_runs (id, account_id, canary_id, at, arm, failed, seconds, decided_at, corrected)
    SELECT :id, :account_id, :canary_id, :at, :arm, :failed, :seconds, :decided_at, :corrected
    WHERE EXISTS (SELECT 1 FROM invoices WHERE id = :id AND account_id = :account_id)
"""
_DECIDED = """
    UPDATE canary_runs SET decided_at = ?, corrected = ? WHERE id = ? AND account_id = ? AND decided_at IS NULL
"""
_RUNS = "SELECT * FROM canary_runs WHERE canary_id = ? ORDER BY at LIMIT ?"
_LIMITED = "SELECT id, accounts FROM canaries WHERE instr(accounts, ?)"


class SqliteComparisons:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, comparisons: Collection[Comparison]) -> None:
        rows = [comparison_row(each) | {"id": str(each.invoice_id)} for each in comparisons]
        await self._database.write(lambda c: c.executemany(_PUT, rows))

    async def of_invoice(self, account_id: UUID, invoice_id: UUID) -> Comparison | None:
        values = (str(invoice_id), str(account_id))
        row = await self._database.read(lambda c: c.execute(_OF_INVOICE, values).fetchone())
        return None if row is None else comparison_from(row)

    async def candidates(self) -> list[str]:
        rows = await self._database.rows(_CANDIDATES, {}, is_search=True)
        return [row["candidate"] for row in rows]

    async def newest(self, candidate: str, limit: int) -> list[Comparison]:
        rows = await self._database.read(lambda c: c.execute(_NEWEST, (candidate, limit)).fetchall())
        return [comparison_from(row) for row in rows]

    async def signs(self, canary_id: UUID, limit: int) -> list[Signs]:
        rows = await self._database.read(lambda c: c.execute(_SIGNS, (str(canary_id), limit)).fetchall())
        return [signs_from(row) for row in rows]


class SqliteCanaries:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def present(self) -> Canary | None:
        newest = await self.newest(1)
        return newest[0] if newest else None

    async def put(self, canary: Canary, over: Canary | None) -> bool:
        def put(connection: sqlite3.Connection) -> bool:
            row = connection.execute(_CANARIES, (1,)).fetchone()
            present = None if row is None else (row["id"], row["revision"])
            if present != (None if over is None else (str(over.id), over.revision)):
                return False
            connection.execute(_PUT_CANARY, canary_row(canary))
            return True

        return await self._database.write(put)

    async def newest(self, limit: int) -> list[Canary]:
        rows = await self._database.read(lambda c: c.execute(_CANARIES, (limit,)).fetchall())
        return [canary_from(row) for row in rows]

    async def add_run(self, run: CanaryRun) -> None:
        row = run_row(run) | {"id": str(run.invoice_id)}
        await self._database.write(lambda c: c.execute(_ADD_RUN, row))

    async def note_decision(self, account_id: UUID, invoice_id: UUID, at: datetime, *, corrected: bool) -> None:
        values = (to_micros(at), int(corrected), str(invoice_id), str(account_id))
        await self._database.write(lambda c: c.execute(_DECIDED, values))

    async def runs(self, canary_id: UUID, limit: int) -> list[CanaryRun]:
        rows = await self._database.read(lambda c: c.execute(_RUNS, (str(canary_id), limit)).fetchall())
        return [run_from(row) for row in rows]


def forget_account(connection: sqlite3.Connection, account_id: str) -> None:
    """Remove an account that is erased from the canaries that were for it."""
    for row in connection.execute(_LIMITED, (account_id,)).fetchall():
        values = (without_account(row["accounts"], account_id), row["id"])
        connection.execute("UPDATE canaries SET accounts = ?, revision = revision + 1 WHERE id = ?", values)
