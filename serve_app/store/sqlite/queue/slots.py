"""Which invoices may be claimed: see `serve_app.store.fairness`. A row with a `turn` has a slot."""

from dataclasses import dataclass

from serve_app.domain.clock import Clock
from serve_app.store.fairness import HANDICAP
from serve_app.store.rows.codec import span_micros, to_micros
from serve_app.store.sqlite.accounts.accounts import find_account
from serve_app.store.sqlite.engine.driver import sqlite3

# The index is named because SQLite, which knows of no index how much it narrows, would go through all of the account.
_TAKEN = "SELECT count(*) FROM invoices INDEXED BY invoices_seated WHERE account_id = ? AND turn IS NOT NULL"
# 0: claimable from the first moment, whatever the clock says.
_ASSIGN_SLOT = """
    UPDATE invoices SET turn = ?, next_run_at = 0
    WHERE id = (SELECT id FROM invoices WHERE account_id = ? AND status = 'queued' AND turn IS NULL ORDER BY id LIMIT 1)
"""
# Steps from account to account, not from row to row: an account with a million waiting documents is looked at once.
_WAITING = """
    WITH RECURSIVE waiting (account_id) AS (
        SELECT min(account_id) FROM invoices WHERE status = 'queued' AND turn IS NULL AND account_id > :after
        UNION ALL
        SELECT (
            SELECT min(account_id) FROM invoices
            WHERE status = 'queued' AND turn IS NULL AND account_id > waiting.account_id
        ) FROM waiting WHERE waiting.account_id IS NOT NULL
        LIMIT :most
    )
    SELECT account_id, (
        SELECT count(*) FROM invoices INDEXED BY invoices_seated
        WHERE invoices.account_id = waiting.account_id AND turn IS NOT NULL
    ) AS taken FROM waiting WHERE account_id IS NOT NULL
"""
_ACCOUNTS = 100


@dataclass(frozen=True, slots=True)
class ConcurrencySlots:
    """The slots of every account: `per_account` of them, unless it or its plan has another limit."""

    per_account: int
    clock: Clock

    def fill(self, connection: sqlite3.Connection, account_id: str) -> int:
        """Part of a write: give slots to the account's waiting invoices, oldest first; returns how many."""
        (taken,) = connection.execute(_TAKEN, (account_id,)).fetchone()
        now, filled = to_micros(self.clock()), 0
        for number in range(taken, self._number_of(connection, account_id)):
            turn = now + number * span_micros(HANDICAP)
            if connection.execute(_ASSIGN_SLOT, (turn, account_id)).rowcount == 0:
                break
            filled += 1
        return filled

    def with_room(self, connection: sqlite3.Connection, after: str) -> tuple[list[str], str]:
        """Accounts with a waiting invoice and a free slot, among the next `_ACCOUNTS` that have a waiting invoice; and
        the last one of these, after which to look next: empty if there are no more."""
        rows = connection.execute(_WAITING, {"after": after, "most": _ACCOUNTS}).fetchall()
        last = rows[-1]["account_id"] if len(rows) == _ACCOUNTS else ""
        ids = (row["account_id"] for row in rows if row["taken"] < self._number_of(connection, row["account_id"]))
        return list(ids), last

    def _number_of(self, connection: sqlite3.Connection, account_id: str) -> int:
        account = find_account(connection, account_id)
        allowed = None if account is None else account.allowed.running
        return self.per_account if allowed is None else allowed
