"""Rows of exports, the same in both stores."""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from serve_app.domain.export import Export, ExportDelivery, ExportFormat
from serve_app.store.rows.codec import from_micros, optional_moment, to_micros

_BY_INVOICE = ("booked", "refused")


def export_row(export: Export) -> dict[str, Any]:
    """The columns, without the id, the file and the invoices."""
    return {
        "account_id": str(export.account_id),
        "format": str(export.format),
        "created_at": to_micros(export.created_at),
        "created_by": export.created_by,
        "file_name": export.file_name,
        "sha256": export.sha256,
        "size_bytes": export.size_bytes,
        "settings": json.dumps(export.settings, ensure_ascii=False),
        "notes": json.dumps(export.notes, ensure_ascii=False),
        "has_file": int(export.has_file),
        **delivery_values(export.delivery),
    }


def delivery_values(delivery: ExportDelivery | None) -> dict[str, Any]:
    """The columns of a delivery."""
    if delivery is None:
        return {"delivery": None, "due_at": None}
    known: dict[str, Any] = {"place": delivery.place, "tries": delivery.tries, "problem": delivery.problem}
    known |= {name: {str(id): text for id, text in getattr(delivery, name).items()} for name in _BY_INVOICE}
    known["delivered_at"] = delivery.delivered_at and to_micros(delivery.delivered_at)
    return {"delivery": json.dumps(known, ensure_ascii=False), "due_at": delivery.due_at and to_micros(delivery.due_at)}


def _delivery(row: Mapping[str, Any]) -> ExportDelivery | None:
    # An export of an earlier version has none.
    if row.get("delivery") is None:
        return None
    known = json.loads(row["delivery"])
    return ExportDelivery(
        place=known["place"],
        due_at=optional_moment(row["due_at"]),
        tries=known["tries"],
        problem=known["problem"],
        delivered_at=optional_moment(known["delivered_at"]),
        **{name: {UUID(id): text for id, text in known.get(name, {}).items()} for name in _BY_INVOICE},
    )


def export_from(row: Mapping[str, Any], invoices: Iterable[str]) -> Export:
    return Export(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        format=ExportFormat(row["format"]),
        created_at=from_micros(row["created_at"]),
        created_by=row["created_by"],
        file_name=row["file_name"],
        sha256=row["sha256"],
        size_bytes=row["size_bytes"],
        invoices=tuple(UUID(id) for id in invoices),
        settings=json.loads(row["settings"]),
        notes=tuple(json.loads(row["notes"])),
        has_file=bool(row["has_file"]),
        delivery=_delivery(row),
    )
