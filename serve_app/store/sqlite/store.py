"""The SQLite store, put together."""

from pathlib import Path

from serve_app.store.base import Store
from serve_app.store.sqlite.accounts import SqliteAccounts, SqliteKeys
from serve_app.store.sqlite.connection import Database
from serve_app.store.sqlite.events import SqliteEvents
from serve_app.store.sqlite.invoices import SqliteInvoices
from serve_app.store.sqlite.limits import SqliteQuotas, SqliteRateWindows


def open_sqlite(path: Path) -> Store:
    """Open the file, creating it and its folder where they are missing. Blocks shortly."""
    database = Database(path)
    return Store(
        accounts=SqliteAccounts(database),
        keys=SqliteKeys(database),
        quotas=SqliteQuotas(database),
        rate_windows=SqliteRateWindows(database),
        invoices=SqliteInvoices(database),
        events=SqliteEvents(database),
        connection=database,
    )
