"""Which errors come from the storage, and what callers are told about them."""

import logging

from serve_app.domain.errors import StoreUnreachable
from serve_app.store.sqlite.engine.driver import sqlite3

log = logging.getLogger(__name__)

# The bits of an error code that give its kind; the others give the cause.
_PRIMARY_CODE = 0xFF
BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
# The file is locked, full, broken or out of reach. All other errors are of the statement.
_OF_STORAGE = BUSY | {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOLFS,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
}


class FileGone(Exception):
    """The file that the connections opened is not at its path any more."""


def has_code(error: BaseException, codes: frozenset[int]) -> bool:
    """Whether SQLite raised the error, with one of these primary codes."""
    # Errors of the driver itself have no code.
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & _PRIMARY_CODE in codes


def is_of_storage(error: BaseException) -> bool:
    """Whether the database is out of reach or broken, so that every call would fail."""
    return isinstance(error, FileGone) or has_code(error, _OF_STORAGE)


def answer_for(error: Exception) -> Exception:
    """The error that the caller gets: Unavailable for a problem of the storage, any other error unchanged."""
    if not is_of_storage(error):
        return error
    log.error("database out of reach: %s", error)
    return StoreUnreachable()
