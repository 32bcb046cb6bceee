"""A database of any earlier version is brought to the schema in one step, with all that it holds."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from serve_app.domain.inbound_mail import MailQuery
from serve_app.domain.invoice import Confidence
from serve_app.domain.query import InvoiceQuery
from serve_app.store.base import Store
from serve_app.store.sqlite import schema
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.opening import connect, migrated
from serve_app.store.sqlite.store import open_sqlite
from tests.support import Clock, newest_events
from tests.support.old_databases import VERSIONS, make_old_database, shape

FILLED = [version for version in VERSIONS if version > 1]
WITH_PEOPLE = [version for version in VERSIONS if version > 12]
# What fills change in columns that were there before: names are folded further, and rejected invoices no longer count
# in their vendors' sums.
CHANGED = {("invoices", "vendor_folded"), ("invoices", "billed"), ("vendors", "total"), ("vendors", "spend")}
Tables = dict[str, list[dict[str, Any]]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "invoices.db"


@pytest.fixture
async def open_upgraded(path: Path) -> AsyncIterator[Callable[[int], Store]]:
    """Opens a database of this version, as the service does."""
    opened: list[Store] = []

    def open_version(version: int) -> Store:
        opened.append(open_sqlite(make_old_database(path, version), 8, Clock()))
        return opened[-1]

    yield open_version
    for store in opened:
        await store.connection.close()


def upgrade(path: Path) -> None:
    with closing(connect(path, 5)) as connection:
        migrated(connection)


def rows(path: Path) -> Tables:
    """The rows of all ordinary tables, in order of their keys."""
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'")
        names = sorted({name for (name,) in tables if not name.startswith("sqlite_")})
        connection.row_factory = sqlite3.Row
        found = {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in names}  # noqa: S608
    return {name: sorted(table, key=lambda row: str(list(row.values()))) for name, table in found.items()}


@pytest.mark.parametrize("version", VERSIONS)
def test_the_schema_is_that_of_a_new_database(path: Path, version: int, tmp_path: Path) -> None:
    upgrade(make_old_database(path, version))
    new = tmp_path / "new.db"
    upgrade(new)
    assert shape(path) == shape(new)
    with closing(sqlite3.connect(path)) as connection:
        assert schema.versions(connection) == (schema.VERSION, schema.OLDEST)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.execute("INSERT INTO invoice_texts (invoice_texts) VALUES ('integrity-check')")


@pytest.mark.parametrize("version", FILLED)
def test_every_row_and_value_is_still_there(path: Path, version: int) -> None:
    before = rows(make_old_database(path, version))
    upgrade(path)
    after = rows(path)
    for table in before.keys() - {"schema_info"}:
        kept = {(table, column) for row in before[table][:1] for column in row} - CHANGED
        assert [pick(row, kept) for row in after[table]] == [pick(row, kept) for row in before[table]], table
    assert sum(map(len, before.values())) > 20


def pick(row: dict[str, Any], columns: set[tuple[str, str]]) -> dict[str, Any]:
    return {column: row[column] for _, column in columns}


@pytest.mark.parametrize("version", FILLED)
async def test_lists_find_what_was_read(open_upgraded: Callable[[int], Store], version: int) -> None:
    store = open_upgraded(version)
    (account,) = (await store.accounts.page(10)).items

    async def numbers(**query: Any) -> list[str]:
        page = await store.invoices.page(account.id, InvoiceQuery(**query), 100)
        return sorted(str(invoice.invoice_number) for invoice in page.items)

    assert await numbers(vendor="CAFE") == await numbers(vendor="αθηνα") == ["A-1", "A-1"]
    assert await numbers(invoice_number="A-2") == ["A-2"]
    assert await numbers(currency="EUR", min_amount=Decimal("100.10"), vendor="cafe") == ["A-1", "A-1"]
    assert "A-3" in await numbers(level=Confidence.MID, models="layout verifier")
    assert "A-3" not in await numbers(to_check=True)
    assert "A-2" in await numbers(to_check=True)
    assert (await store.queue.backlog()).documents() == 2


@pytest.mark.parametrize("version", FILLED)
async def test_vendors_and_events_are_right(open_upgraded: Callable[[int], Store], version: int) -> None:
    store = open_upgraded(version)
    (account,) = (await store.accounts.page(10)).items
    vendors = {vendor.name: vendor for vendor in await store.vendors.by_spend(account.id, 10)}
    assert vendors["Café Αθήνα"].total_billed == Decimal("100.10")
    assert vendors["Café Αθήνα"].invoice_count == 2
    assert len(await newest_events(store, account.id)) >= 5
    (endpoint,) = await store.endpoints.of_account(account.id)
    assert str(endpoint.url) == "https://example.com/hook"


@pytest.mark.parametrize("version", WITH_PEOPLE)
async def test_corrections_people_and_mails_are_right(open_upgraded: Callable[[int], Store], version: int) -> None:
    store = open_upgraded(version)
    (account,) = (await store.accounts.page(10)).items
    (corrected,) = (await store.invoices.page(account.id, InvoiceQuery(invoice_number="A-2"), 10)).items
    assert (corrected.vendor_name, corrected.amount) == ("Bolt & Söhne", Decimal("7.00"))
    assert {member.person.email for member in await store.memberships.of_account(account.id)} == {"ann@example.com"}
    for words, mails in (("grosse", 1), ("muller", 1), ("ubersicht", 1), ("second.pdf", 1), ("nothing", 0)):
        assert len((await store.mails.page(account.id, MailQuery(words=words), 10)).items) == mails, words
    (troubled,) = (await store.mails.page(account.id, MailQuery(has_problems=True), 10)).items
    assert troubled.problems == 2


_DIES = """
import os, sys
from pathlib import Path
from serve_app.store.sqlite.engine.opening import connect, migrated

connection, seen = connect(Path(sys.argv[1]), 5), 0

def count(statement):
    global seen
    seen += 1
    if seen == int(sys.argv[2]):
        os._exit(9)

connection.set_trace_callback(count)
migrated(connection)
print(seen)
"""


def upgrade_until(path: Path, statements: int) -> subprocess.CompletedProcess[str]:
    """Upgrade in a process that ends without warning at this statement."""
    arguments = [sys.executable, "-c", _DIES, str(path), str(statements)]
    return subprocess.run(arguments, capture_output=True, text=True, check=False, env=dict(os.environ))


def test_a_process_that_dies_on_the_way_changes_nothing(tmp_path: Path) -> None:
    whole = upgrade_until(make_old_database(tmp_path / "whole.db", 2), 0)
    statements = int(whole.stdout)
    path = make_old_database(tmp_path / "invoices.db", 2)
    before = rows(path), shape(path)
    for share in (0.1, 0.5, 0.9, 1):
        assert upgrade_until(path, int(statements * share)).returncode == 9
        assert (rows(path), shape(path)) == before
    upgrade(path)
    assert shape(path) == shape(tmp_path / "whole.db")
