"""Lanes: which endpoint is served next, and by which worker. See `serve_app.store.base.webhooks`.

A lane's `due_at` is when it may be claimed: while it waits, the moment its oldest delivery came due; while it is held,
the end of its lease.
"""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.clock import Clock
from serve_app.domain.webhook import ONE_LANE, Health, Lane, LaneRoom
from serve_app.store.base.webhooks import LATEST_RETRIES
from serve_app.store.fairness import LONGEST_LEASE
from serve_app.store.rows.codec import optional_micros, optional_moment, span_micros, to_micros
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.webhooks.endpoint_rows import endpoint_from

_FIRST_DUE = """
    SELECT id, account_id FROM endpoints
    WHERE paused_reason IS NULL AND due_at IS NOT NULL AND is_slow = :slow AND due_at <= :now
        AND account_id NOT IN (SELECT value FROM json_each(:without))
    ORDER BY due_at, id LIMIT :most
"""
_CLAIM = "UPDATE endpoints SET due_at = :lease, is_held = 1, lane = lane + 1 WHERE id = :id RETURNING *"
_RENEW = "UPDATE endpoints SET due_at = ? WHERE id = ? AND lane = ? AND is_held"
_GIVE_BACK = """
    UPDATE endpoints SET is_held = 0, due_at = (
        SELECT max(next_attempt_at, :now) FROM deliveries
        WHERE endpoint_id = endpoints.id AND state = 'pending' ORDER BY next_attempt_at LIMIT 1
    )
    WHERE id = :id AND lane = :lane AND is_held RETURNING due_at
"""
# A process that read the endpoint before must not undo this when it writes a changed endpoint back: so the revision
# grows.
_NOTE = """
    UPDATE endpoints SET is_slow = :is_slow, failing_since = :failing_since, revision = revision + 1
    WHERE id = :id AND revision = :revision AND (is_slow != :is_slow OR failing_since IS NOT :failing_since)
"""
# A held lane stays as it is: its holder looks once more before giving it back.
_MAKE_DUE = "UPDATE endpoints SET due_at = min(ifnull(due_at, :at), :at) WHERE id = :id AND NOT is_held"
# A lane may be due that late because of a retry. If it has deliveries due already, its time was set before the clock
# was set back.
_WAITS = "EXISTS (SELECT 1 FROM deliveries WHERE endpoint_id = endpoints.id AND state = 'pending' AND next_attempt_at "
_TOO_LATE = "> :latest AND next_attempt_at > json_extract(:latest_retries, '$[' || min(step, :last_step) || ']')"
_TO_REPAIR = f"due_at > :latest AND (is_held OR {_WAITS} <= :now) OR {_WAITS} {_TOO_LATE}))"
_HASTEN = f"""
    UPDATE deliveries SET next_attempt_at = 0
    WHERE endpoint_id IN (SELECT id FROM endpoints WHERE due_at > :latest) AND state = 'pending'
        AND next_attempt_at {_TOO_LATE}
"""  # noqa: S608
_REPAIR = f"UPDATE endpoints SET is_held = 0, due_at = 0 WHERE {_TO_REPAIR}"  # noqa: S608
_ANY_TO_REPAIR = f"SELECT EXISTS (SELECT 1 FROM endpoints WHERE {_TO_REPAIR})"  # noqa: S608


class SqliteLanes:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def claim(self, lease: timedelta, *, slow: bool, room: LaneRoom = ONE_LANE) -> list[Lane]:
        now = self._clock()
        values: dict[str, int | str] = {
            "now": to_micros(now),
            "lease": to_micros(now + lease),
            "slow": slow,
            "without": json.dumps([str(account_id) for account_id in room.full_accounts]),
            "most": room.in_all,
        }
        # Called often and mostly with nothing to do, and a write costs a disk sync: look before writing.
        if not await self._database.read(lambda c: c.execute(_FIRST_DUE, values).fetchone()):
            return []
        return [_lane_from(row) for row in await self._database.write(lambda c: _claim(c, values, room))]

    async def renew(self, lane: Lane, lease: timedelta) -> bool:
        values = (to_micros(self._clock() + lease), str(lane.endpoint.id), lane.token)
        return await self._database.write(lambda c: c.execute(_RENEW, values).rowcount == 1)

    async def release_lease(self, lane: Lane, health: Health) -> datetime | None:
        values = {
            "id": str(lane.endpoint.id),
            "lane": lane.token,
            "now": to_micros(self._clock()),
            "revision": lane.endpoint.revision,
            "is_slow": health.is_slow,
            "failing_since": optional_micros(health.failing_since),
        }

        def write(connection: sqlite3.Connection) -> int | None:
            rows = connection.execute(_GIVE_BACK, values).fetchall()
            if rows:
                connection.execute(_NOTE, values)
            return rows[0]["due_at"] if rows else None

        return optional_moment(await self._database.write(write))

    async def repair(self) -> int:
        now = to_micros(self._clock())
        values: dict[str, int | str] = {
            "now": now,
            "latest": now + span_micros(LONGEST_LEASE),
            "latest_retries": json.dumps([now + span_micros(latest) for latest in LATEST_RETRIES]),
            "last_step": len(LATEST_RETRIES) - 1,
        }
        if not await self._database.read(lambda c: c.execute(_ANY_TO_REPAIR, values).fetchone()[0]):
            return 0
        return await self._database.write(lambda c: _repair(c, values))


def _claim(connection: sqlite3.Connection, values: Mapping[str, int | str], room: LaneRoom) -> list[sqlite3.Row]:
    due = connection.execute(_FIRST_DUE, values).fetchall()
    claims = ({**values, "id": due[number]["id"]} for number in room.fitting(UUID(row["account_id"]) for row in due))
    return [connection.execute(_CLAIM, claim).fetchone() for claim in claims]


def _repair(connection: sqlite3.Connection, values: Mapping[str, int | str]) -> int:
    connection.execute(_HASTEN, values)
    return connection.execute(_REPAIR, values).rowcount


def make_due(connection: sqlite3.Connection, endpoint_id: str, at: int) -> None:
    """Part of a write: note that the endpoint has a delivery due at this moment."""
    connection.execute(_MAKE_DUE, {"id": endpoint_id, "at": at})


def _lane_from(row: sqlite3.Row) -> Lane:
    return Lane(endpoint_from(row), row["lane"])
