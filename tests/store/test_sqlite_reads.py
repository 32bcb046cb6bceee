"""Lookups do not wait for searches, and no read runs for long."""

import asyncio
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from uuid import UUID

import pytest

from serve_app.domain.errors import QueryTimeout, ServiceError, StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.query import EventQuery, InvoiceQuery
from serve_app.store.base import Store
from serve_app.store.sqlite import store as opened
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.invoices import invoices
from serve_app.store.sqlite.invoices import pages as invoice_pages
from tests.support import NOON

ACCOUNT = new_id()
# A second of work or more, for rows that nobody has.
SLOW = """
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 3000000)
    SELECT * FROM invoices WHERE id = (SELECT count(*) FROM number)
"""
FOREVER = "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number) SELECT count(*) FROM number"


@pytest.fixture
async def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Store]:
    """A store in which a search for a vendor takes long."""

    def page(
        account_id: UUID, query: InvoiceQuery, limit: int, after: UUID | None, trigrams: str | None
    ) -> tuple[str, dict[str, object]]:
        return (SLOW, {}) if query.vendor else invoice_pages.invoice_page(account_id, query, limit, after, trigrams)

    monkeypatch.setattr(invoices, "invoice_page", page)
    monkeypatch.setattr(opened, "Database", partial(Database, read_seconds=60.0))
    store = opened.open_sqlite(tmp_path / "invoices.db", slots=8)
    yield store
    await store.connection.close()


async def test_lookups_and_plain_lists_do_not_wait_for_a_search(store: Store) -> None:
    search = asyncio.create_task(store.invoices.page(ACCOUNT, InvoiceQuery(vendor="x"), 25))
    await asyncio.sleep(0.05)
    assert await store.keys.find_caller("hash", NOON) is None
    assert (await store.invoices.page(ACCOUNT, InvoiceQuery(), 25)).items == ()
    assert (await store.events.page(ACCOUNT, EventQuery(), 25)).items == ()
    assert not search.done()
    assert (await search).items == ()


async def test_a_search_has_a_time_limit_and_the_next_one_its_own(tmp_path: Path) -> None:
    database = Database(tmp_path / "invoices.db", read_seconds=0.2)
    for _ in range(2):
        began = time.monotonic()
        with pytest.raises(QueryTimeout):
            await database.rows(FOREVER, {}, is_search=True)
        assert time.monotonic() - began < 5
    assert [tuple(row) for row in await database.rows("SELECT 1", {}, is_search=True)] == [(1,)]
    await database.close()


async def test_a_lookup_has_a_time_limit_too(tmp_path: Path) -> None:
    database = Database(tmp_path / "invoices.db", read_seconds=0.2)
    with pytest.raises(ServiceError):
        await database.read(lambda c: c.execute(FOREVER).fetchone())
    await database.ping()
    await database.close()


async def test_a_search_that_waited_too_long_for_others_is_not_begun(tmp_path: Path) -> None:
    database = Database(tmp_path / "invoices.db", busy_seconds=0.1, read_seconds=0.3)
    first = asyncio.create_task(database.rows(FOREVER, {}, is_search=True))
    await asyncio.sleep(0.05)
    with pytest.raises(StoreUnreachable):
        await database.rows("SELECT 1", {}, is_search=True)
    with pytest.raises(ServiceError):
        await first
    await database.close()
