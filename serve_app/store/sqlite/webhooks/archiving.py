"""Old events with their deliveries: finding them, and removing them once they are archived."""

import json
from collections import defaultdict
from collections.abc import Sequence

from serve_app.domain.archive import DeliveredEvent
from serve_app.domain.erased import Erased
from serve_app.domain.webhook import Delivery
from serve_app.store.rows.columns import event_from
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.webhooks.delivery_rows import delivery_from

_OLDEST = """
    SELECT * FROM events WHERE account_id = :account AND id > :after AND NOT is_test ORDER BY id LIMIT :limit
"""
_DELIVERIES = "SELECT * FROM deliveries WHERE event_id IN (SELECT value FROM json_each(?)) ORDER BY id"
_REMOVE_DELIVERY = """
    DELETE FROM deliveries
    WHERE id = :id AND account_id = :account AND claims = :claims AND step = :step AND state = :state
"""
_HAS_DELIVERY = "SELECT 1 FROM deliveries WHERE event_id = ? LIMIT 1"
_NOTE = "INSERT OR IGNORE INTO erased_ids (id, account_id, erased_at) VALUES (:event, :account, :now)"
_REMOVE_EVENT = "DELETE FROM events WHERE id = :event AND account_id = :account"


def oldest_events(
    connection: sqlite3.Connection, account_id: str, limit: int, after: str | None
) -> list[DeliveredEvent]:
    """Part of a read."""
    values = {"account": account_id, "after": after or "", "limit": limit}
    events = [event_from(row) for row in connection.execute(_OLDEST, values)]
    deliveries: dict[str, list[Delivery]] = defaultdict(list)
    for row in connection.execute(_DELIVERIES, (json.dumps([event.id for event in events]),)):
        deliveries[row["event_id"]].append(delivery_from(row))
    return [DeliveredEvent(event, tuple(deliveries[event.id])) for event in events]


def remove_archived(
    connection: sqlite3.Connection, account_id: str, archived: Sequence[DeliveredEvent], now: int
) -> Erased:
    """Part of a write."""
    erased = Erased()
    for delivered in archived:
        deliveries = sum(_remove_delivery(connection, account_id, each) for each in delivered.deliveries)
        erased += Erased(events=_remove_event(connection, account_id, delivered.event.id, now), deliveries=deliveries)
    return erased


def _remove_delivery(connection: sqlite3.Connection, account_id: str, delivery: Delivery) -> int:
    as_read = {"claims": delivery.claims, "step": delivery.step, "state": delivery.state}
    return connection.execute(_REMOVE_DELIVERY, {"id": str(delivery.id), "account": account_id} | as_read).rowcount


def _remove_event(connection: sqlite3.Connection, account_id: str, event_id: str, now: int) -> int:
    if connection.execute(_HAS_DELIVERY, (event_id,)).fetchone() is not None:
        return 0
    values = {"event": event_id, "account": account_id, "now": now}
    removed = connection.execute(_REMOVE_EVENT, values).rowcount
    if removed:
        connection.execute(_NOTE, values)
    return removed
