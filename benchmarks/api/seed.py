"""An account with invoices, in a new database."""

from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from benchmarks.store.filling import bulk, id_at, insert_records
from benchmarks.store.invoices import records
from serve_app.domain.account import Plan
from serve_app.settings import Settings
from serve_app.store.factory import open_store
from serve_app.wiring.accounts import build_accounts

INVOICES = 1_000
# Complete, and read as most are.
_ANY = 777


@dataclass(frozen=True, slots=True)
class Seeded:
    """A key of the account, and one of its invoices."""

    key: str
    invoice_id: UUID


async def seed(database: Path, settings: Settings) -> Seeded:
    """Make an account with a key and INVOICES finished invoices."""
    store = open_store(settings)
    try:
        accounts = build_accounts(store)
        account = await accounts.create_account(Plan.UNLIMITED)
        _, raw = await accounts.create_key(account.id, "benchmark")
    finally:
        await store.connection.close()
    with bulk(database) as connection:
        insert_records(connection, records(account.id, 0, INVOICES))
    return Seeded(raw, id_at(_ANY))
