"""Rows of operators' keys, of both stores."""

from typing import Any
from uuid import UUID

from serve_app.domain.account import Scope
from serve_app.domain.operator_key import OperatorKey
from serve_app.store.rows.codec import from_micros, optional_micros, optional_moment, to_micros
from serve_app.store.rows.columns import Fields


def operator_key_from(row: Fields) -> OperatorKey:
    """The key of a full row."""
    return OperatorKey(
        id=UUID(row["id"]),
        name=row["name"],
        prefix=row["prefix"],
        scope=Scope(row["scope"]),
        hash=row["hash"],
        created_at=from_micros(row["created_at"]),
        revoked_at=optional_moment(row["revoked_at"]),
    )


def operator_key_row(key: OperatorKey) -> dict[str, Any]:
    """Its full row."""
    return {
        "id": str(key.id),
        "name": key.name,
        "prefix": key.prefix,
        "scope": str(key.scope),
        "hash": key.hash,
        "created_at": to_micros(key.created_at),
        "revoked_at": optional_micros(key.revoked_at),
    }
