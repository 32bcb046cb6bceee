"""Removes expired records."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from serve_app.domain.api_call import CALL_LIFE
from serve_app.domain.approval_mail import COUNT_LIFE
from serve_app.domain.comparison import COMPARISON_LIFE
from serve_app.domain.endpoint_health import COUNTS_LIFE
from serve_app.domain.erased import ERASED_ID_LIFE
from serve_app.domain.idempotency import REPLAY_WINDOW
from serve_app.domain.inbound_mail import AUTOMATIC_LIFE, SAME_FILE_WINDOW
from serve_app.domain.limits import WINDOW_LIFE
from serve_app.domain.pace import PACE_LIFE
from serve_app.store.fairness import LONGEST_LEASE
from serve_app.store.rows.codec import to_micros
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_OVER = (
    ("DELETE FROM idempotency WHERE created_at <= ?", REPLAY_WINDOW),
    ("DELETE FROM rate_windows WHERE window <= ?", WINDOW_LIFE),
    ("DELETE FROM approval_mails WHERE day <= ?", COUNT_LIFE),
    ("DELETE FROM calls WHERE at <= ?", CALL_LIFE),
    ("DELETE FROM endpoint_hours WHERE hour <= ?", COUNTS_LIFE),
    ("DELETE FROM erased_ids WHERE erased_at <= ?", ERASED_ID_LIFE),
    ("DELETE FROM sessions WHERE expires_at <= ?", timedelta(0)),
    ("DELETE FROM sign_in_links WHERE expires_at <= ?", timedelta(0)),
    ("DELETE FROM mail_sign_ins WHERE expires_at <= ?", timedelta(0)),
    ("DELETE FROM mail_documents WHERE received_at < ?", SAME_FILE_WINDOW),
    ("DELETE FROM mail_pictures WHERE at <= ?", SAME_FILE_WINDOW),
    ("DELETE FROM automatic_mails WHERE at <= ?", AUTOMATIC_LIFE),
    ("DELETE FROM comparisons WHERE at <= ?", COMPARISON_LIFE),
    ("DELETE FROM canary_runs WHERE at <= ?", COMPARISON_LIFE),
    (
        "DELETE FROM deliveries WHERE event_id IN"
        " (SELECT id FROM events WHERE type = 'invoice.deleted' AND created_at <= ?)",
        ERASED_ID_LIFE,
    ),
    ("DELETE FROM events WHERE type = 'invoice.deleted' AND created_at <= ?", ERASED_ID_LIFE),
    ("DELETE FROM paces WHERE at <= ?", PACE_LIFE),
)

_HASTEN_MAILS = "UPDATE mails SET due_at = :now WHERE due_at > :latest AND state IN ('queued', 'reading')"

_COUNTED = ("accounts", "invoices", "events", "endpoints", "deliveries")
_COUNTS = "SELECT " + ", ".join(f"(SELECT count(*) FROM {table}) AS {table}" for table in _COUNTED)  # noqa: S608


class SqliteUpkeep:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def expire(self, now: datetime) -> int:
        hastened = {"now": to_micros(now), "latest": to_micros(now + LONGEST_LEASE)}

        def expire(connection: sqlite3.Connection) -> int:
            connection.execute(_HASTEN_MAILS, hastened)
            return sum(connection.execute(query, (to_micros(now - age),)).rowcount for query, age in _OVER)

        return await self._database.write(expire)

    async def counts(self) -> Mapping[str, int]:
        (row,) = await self._database.rows(_COUNTS, {}, is_search=True)
        return dict(row)
