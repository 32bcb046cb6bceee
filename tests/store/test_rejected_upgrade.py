"""Rejected invoices that an earlier version stored are taken out of their vendors' sums."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from serve_app.store.mongo.invoices.codec import to_decimal128
from serve_app.store.mongo.store import open_mongo
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.store import open_sqlite
from tests.store.mongo_consistency import check_consistency
from tests.store.mongo_faults import background_done
from tests.store.test_rejected import PAPER, reject, total
from tests.store.test_reviews import read_new
from tests.support import NOON, Clock
from tests.support.mongomock import mock_client

ACCOUNT = Account(new_id(), Plan.FREE, NOON)
DUPLICATE = PAPER.model_copy(update={"invoice_number": "A-1", "amount": Decimal(100)})
COUNTED = (Decimal("109.90"), Decimal("109.90"), 2)


async def fill(store: Store) -> tuple[list[str], list[str]]:
    """Two invoices, a twin of the first, and another one; the first and the last are rejected. The ids of these, and
    the names of all files."""
    await store.accounts.add(ACCOUNT)
    last = PAPER.model_copy(update={"invoice_number": "A-3", "amount": Decimal(5)})
    records = [await read_new(store, ACCOUNT, read) for read in (DUPLICATE, PAPER, DUPLICATE, last)]
    for record in (records[0], records[3]):
        await reject(store, record)
    assert await total(store, ACCOUNT) == COUNTED
    return [str(records[place].invoice.id) for place in (0, 3)], [record.file_key for record in records]


async def test_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "invoices.db"
    (first, last), _ = await fill(open_sqlite(path, 8, Clock()))
    before = sqlite3.connect(path, isolation_level=None)
    before.execute("UPDATE invoices SET stands_in = 0")
    before.execute("UPDATE invoices SET billed = '100' WHERE id = ?", (first,))
    before.execute("UPDATE invoices SET billed = '5' WHERE id = ?", (last,))
    before.execute("UPDATE vendors SET total = '114.90', spend = 114.9")
    before.execute("PRAGMA user_version = 28")
    before.close()
    assert await total(open_sqlite(path, 8, Clock()), ACCOUNT) == COUNTED


async def test_of_mongodb() -> None:
    client: Any = mock_client()
    ids, files = await fill(open_mongo("mongodb://nowhere/invoices", 8, Clock(), client))
    rows: Any = client.get_database("invoices")
    for id, amount in zip(ids, ("100", "5"), strict=True):
        await rows.invoices.update_one({"_id": id}, {"$set": {"billed": to_decimal128(Decimal(amount))}})
    await rows.invoices.update_many({}, {"$unset": {"stands_in": ""}})
    await rows.vendors.update_many({}, {"$set": {"total": "114.90", "spend": 114.9}})
    await rows.upgrades.delete_many({})
    store = open_mongo("mongodb://nowhere/invoices", 8, Clock(), client)
    await store.connection.ping()
    await background_done()
    while (await store.outbox.spread_pending(100)).invoices:
        pass
    assert await total(store, ACCOUNT) == COUNTED
    await check_consistency(rows, set(files), endpoints=0)
