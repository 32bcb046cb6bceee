"""Watched folders and the invoices of their files."""

from dataclasses import dataclass
from datetime import datetime
from uuid import NAMESPACE_URL, UUID, uuid5


@dataclass(frozen=True, slots=True)
class WatchedFolder:
    """The files of a folder, of a bucket or of a folder on an SFTP server become invoices of an account. `place` is its
    path or URL in a canonical form.

    `holder` watches it until `leased_until`. `scanned_at` is the time of the last scan, `problem` its error for people.
    That scan found `waiting` files; `done` and `failed` files were moved since the folder was added.
    """

    id: UUID
    account_id: UUID
    place: str
    added_at: datetime
    is_paused: bool = False
    holder: UUID | None = None
    leased_until: datetime | None = None
    scanned_at: datetime | None = None
    problem: str = ""
    waiting: int = 0
    done: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class FolderScan:
    """The result of a scan: how many files wait, and how many were moved since the previous scan."""

    at: datetime
    problem: str = ""
    waiting: int = 0
    done: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class WatchedFile:
    """The invoice of a file, by its content: the same bytes in the same folder are one invoice."""

    account_id: UUID
    folder_id: UUID
    sha256: str
    invoice_id: UUID
    found_at: datetime


def folder_id_of(place: str) -> UUID:
    """The id of the folder, which follows from its place: a place is watched for one account only."""
    return uuid5(NAMESPACE_URL, place)
