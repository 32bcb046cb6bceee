"""Lookups of one account during searches of another."""

import asyncio
import time
from decimal import Decimal
from pathlib import Path
from uuid import UUID

from benchmarks.store.filling import FIRST_MOMENT, bulk, insert_accounts, insert_records
from benchmarks.store.invoices import records
from benchmarks.store.report import Result, table, times_of
from serve_app.domain.account import Account, Plan, Scope, mint_key
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.query import InvoiceQuery
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store

P99_MS = 20.0
"""Of a lookup beside searches."""
_ROWS, _LOOKUPS, _PAUSE_SECONDS = 300_000, 1_000, 0.005
_SEARCHES = (
    InvoiceQuery(vendor="no such vendor"),
    InvoiceQuery(min_amount=Decimal(10**7)),
    InvoiceQuery(vendor="zyx zyx"),
    InvoiceQuery(max_amount=Decimal(-1)),
)


async def measure_lookups(database: Path) -> Result:
    """Look up a key while nothing else happens, then while another account's searches find nothing."""
    store = open_store(Settings(database_url=f"sqlite:///{database}"))
    large, small = (Account(new_id(), Plan.UNLIMITED, FIRST_MOMENT) for _ in range(2))
    with bulk(database) as connection:
        insert_accounts(connection, [large, small])
        insert_records(connection, records(large.id, 0, _ROWS))
    key, _ = mint_key(small.id, "looked up", Scope.FULL, utc_now())
    await store.keys.add(key)
    alone = times_of(await _lookups(store, key.hash))
    searching = [asyncio.create_task(_search(store, large.id, query)) for query in _SEARCHES]
    beside = times_of(await _lookups(store, key.hash))
    for task in searching:
        task.cancel()
    await asyncio.gather(*searching, return_exceptions=True)
    await store.connection.close()
    rows = [(name, f"{times.median:.2f}", f"{times.p99:.2f}") for name, times in (("alone", alone), ("beside", beside))]
    head = f"### Lookups of a key beside {len(_SEARCHES)} searches at a time through {_ROWS:,} invoices"
    return Result([head, "", *table(["", "p50, ms", "p99, ms"], rows)], beside.p99 <= P99_MS)


async def _lookups(store: Store, key_hash: str) -> list[float]:
    seconds = []
    for _ in range(_LOOKUPS):
        began = time.perf_counter()
        assert await store.keys.find_caller(key_hash, utc_now()) is not None
        seconds.append(time.perf_counter() - began)
        await asyncio.sleep(_PAUSE_SECONDS)
    return seconds


async def _search(store: Store, account_id: UUID, query: InvoiceQuery) -> None:
    while True:
        await store.invoices.page(account_id, query, 25)
