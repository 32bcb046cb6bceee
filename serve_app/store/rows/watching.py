"""Rows of watched folders and of their files, the same in both stores."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from serve_app.domain.watched_folder import FolderScan, WatchedFile, WatchedFolder
from serve_app.store.rows.codec import from_micros, optional_micros, optional_moment, to_micros


def folder_row(folder: WatchedFolder) -> dict[str, Any]:
    """The columns, without the id."""
    return {
        "account_id": str(folder.account_id),
        "place": folder.place,
        "added_at": to_micros(folder.added_at),
        "is_paused": int(folder.is_paused),
        "holder": None if folder.holder is None else str(folder.holder),
        "leased_until": optional_micros(folder.leased_until),
        "scanned_at": optional_micros(folder.scanned_at),
        "problem": folder.problem,
        "waiting": folder.waiting,
        "done": folder.done,
        "failed": folder.failed,
    }


def folder_from(row: Mapping[str, Any]) -> WatchedFolder:
    return WatchedFolder(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        place=row["place"],
        added_at=from_micros(row["added_at"]),
        is_paused=bool(row["is_paused"]),
        holder=None if row["holder"] is None else UUID(row["holder"]),
        leased_until=optional_moment(row["leased_until"]),
        scanned_at=optional_moment(row["scanned_at"]),
        problem=row["problem"],
        waiting=row["waiting"],
        done=row["done"],
        failed=row["failed"],
    )


def scan_values(scan: FolderScan) -> dict[str, Any]:
    """The columns that a scan replaces."""
    return {"scanned_at": to_micros(scan.at), "problem": scan.problem, "waiting": scan.waiting}


def file_row(file: WatchedFile) -> dict[str, Any]:
    return {
        "account_id": str(file.account_id),
        "folder_id": str(file.folder_id),
        "sha256": file.sha256,
        "invoice_id": str(file.invoice_id),
        "found_at": to_micros(file.found_at),
    }


def file_from(row: Mapping[str, Any]) -> WatchedFile:
    return WatchedFile(
        account_id=UUID(row["account_id"]),
        folder_id=UUID(row["folder_id"]),
        sha256=row["sha256"],
        invoice_id=UUID(row["invoice_id"]),
        found_at=from_micros(row["found_at"]),
    )
