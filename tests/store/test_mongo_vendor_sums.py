"""How MongoDB keeps vendors' sums: by differences, each applied once."""

from decimal import Decimal
from typing import Any

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.record import InvoiceRecord
from serve_app.store.base import Store
from serve_app.store.mongo.store import open_mongo, open_mongo_check
from tests.store.mongo_consistency import check_consistency
from tests.store.mongo_faults import Fault, FaultyClient, FaultyCollection
from tests.support import NOON, Clock, claim_next, queue_new
from tests.support.mongomock import mock_client

URL = "mongodb://nowhere/invoices"


class Asked(Fault):
    """Writes down what is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def asked(self, collection: FaultyCollection, name: str, values: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.names.append(f"{collection.name}.{name}")


class Scene:
    """An account in a database, and what is asked of it."""

    def __init__(self) -> None:
        self.client, self.clock, self.asked = mock_client(), Clock(), Asked()
        self.store: Store = open_mongo(URL, 2, self.clock, FaultyClient(self.client, self.asked))
        self.rows: Any = self.client.get_database("invoices")
        self.account = Account(new_id(), Plan.FREE, NOON)
        self.files: set[str] = set()

    async def complete(self, amount: str, vendor: str = "ACME", number: str | None = None) -> InvoiceRecord:
        record = await queue_new(self.store, self.account.id)
        self.files.add(record.file_key)
        read = Extraction(vendor_name=vendor, invoice_number=number or str(new_id()), amount=Decimal(amount))
        await self.store.queue.save_result(await claim_next(self.store), read, NOON)
        return record

    async def vendor(self) -> dict[str, Any]:
        found: dict[str, Any] = await self.rows.vendors.find_one({"key": "acme"})
        return found

    async def hold(self) -> None:
        while (await self.store.outbox.spread_pending(100)).invoices:
            pass
        await check_consistency(self.rows, self.files, endpoints=0)


@pytest.fixture
async def scene() -> Scene:
    scene = Scene()
    await scene.store.accounts.add(scene.account)
    return scene


async def test_another_invoice_costs_the_same_however_many_the_vendor_has(scene: Scene) -> None:
    costs = []
    for _ in range(60):
        scene.asked.names.clear()
        await scene.complete("10.10")
        assert "invoices.aggregate" not in scene.asked.names
        costs.append(len(scene.asked.names))
        await scene.hold()
    # The first ones wait for the indexes and make the vendor; now and then what was applied is looked through.
    assert max(costs[5:]) <= min(costs[5:]) + 1
    assert (await scene.vendor())["total"] == "606.00"


async def test_what_was_applied_is_forgotten_once_it_cannot_come_again(scene: Scene) -> None:
    for _ in range(50):
        await scene.complete("1")
        await scene.store.outbox.spread_pending(10)
    assert len((await scene.vendor())["applied"]) <= 21
    await scene.hold()


async def test_sums_that_an_earlier_program_computed_in_between_are_recomputed(scene: Scene) -> None:
    await scene.complete("1")
    # It counts an invoice whose difference is yet to come, and knows nothing of differences.
    later = await queue_new(scene.store, scene.account.id)
    scene.files.add(later.file_key)
    claim = await claim_next(scene.store)
    absolute = {"invoice_count": 2, "total": "3", "spend": 3.0}
    await scene.rows.vendors.update_one({"key": "acme"}, {"$set": absolute, "$inc": {"version": 1}})
    read = Extraction(vendor_name="ACME", invoice_number="2", amount=Decimal(2))
    await scene.store.queue.save_result(claim, read, NOON)
    vendor = await scene.vendor()
    assert (vendor["invoice_count"], Decimal(vendor["total"])) == (2, Decimal(3))
    await scene.complete("4")
    vendor = await scene.vendor()
    assert (vendor["invoice_count"], Decimal(vendor["total"])) == (3, Decimal(7))
    await scene.hold()


async def test_an_entry_of_a_program_of_before_makes_the_vendor_count_its_invoices(scene: Scene) -> None:
    record = await scene.complete("1")
    await scene.store.outbox.spread_pending(10)
    entry = {"id": "x", "settled": False, "siblings": [], "vendors": [], "duplicate_keys": [], "event": None}
    wrong = {"$set": {"invoice_count": 9, "total": "9"}}
    await scene.rows.vendors.update_one({"key": "acme"}, wrong)
    left = {"$set": {"outbox": [{**entry, "vendor_keys": ["acme"]}], "outbox_at": 0}}
    await scene.rows.invoices.update_one({"_id": str(record.invoice.id)}, left)
    await scene.hold()


async def test_a_repair_recomputes_the_sums_and_they_go_on_from_there(scene: Scene) -> None:
    await scene.complete("1", number="7")
    await scene.complete("1", number="7")
    await scene.rows.vendors.update_one({"key": "acme"}, {"$set": {"invoice_count": 9, "total": "9"}})
    await open_mongo_check(URL, scene.client).repair(scene.account.id)
    await scene.complete("2")
    vendor = await scene.vendor()
    assert (vendor["invoice_count"], Decimal(vendor["total"])) == (3, Decimal(3))
    await scene.hold()
