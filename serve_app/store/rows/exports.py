"""Rows of exports, the same in both stores."""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from serve_app.domain.export import Export, ExportFormat
from serve_app.store.rows.codec import from_micros, to_micros


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
    }


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
    )
