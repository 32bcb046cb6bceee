"""Rows of connections to the APIs of other programs, the same in both stores."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from serve_app.domain.ledger_connection import Ledger, LedgerConnection
from serve_app.store.rows.codec import from_micros, to_micros


def connection_row(connection: LedgerConnection) -> dict[str, Any]:
    """All columns."""
    return {
        "account_id": str(connection.account_id),
        "ledger": str(connection.ledger),
        "settings": json.dumps(connection.settings, ensure_ascii=False),
        "sealed": connection.sealed,
        "changed_at": to_micros(connection.changed_at),
    }


def connection_from(row: Mapping[str, Any]) -> LedgerConnection:
    return LedgerConnection(
        UUID(row["account_id"]),
        Ledger(row["ledger"]),
        json.loads(row["settings"]),
        row["sealed"],
        from_micros(row["changed_at"]),
    )
