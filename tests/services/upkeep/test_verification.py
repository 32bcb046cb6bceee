"""`invoices verify` names what is wrong: every entry of a sound store is falsified in turn."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from serve_app.domain.account_records import Difference
from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.deletion import PlannedDeletion
from serve_app.domain.ids import new_id
from serve_app.services.upkeep.verification import Verification
from serve_app.settings import Settings, sqlite_path
from serve_app.store.base import Files, Store
from serve_app.store.base.store_check import StoreCheck
from serve_app.store.sqlite.engine.driver import sqlite3
from tests.support import NOON, Clock
from tests.support.databases import Database
from tests.support.sound import Scene, make_scene

ANN = Actor(ActorKind.PERSON, new_id(), "ann@example.com")
FALSIFIED = {
    "an invoice is gone": ("DELETE FROM invoices WHERE id = :first", {"events", "files", "vendors"}),
    "an invoice was finished twice": ("UPDATE invoices SET runs = 2 WHERE id = :first", {"events", "units"}),
    "an event is gone": ("DELETE FROM events WHERE invoice_id = :first", {"events", "deliveries"}),
    "an event is there twice": (
        "INSERT INTO events (id, account_id, type, created_at, payload, invoice_id)"
        " SELECT 'evt_2', account_id, type, created_at, payload, invoice_id FROM events WHERE invoice_id = :first",
        {"events", "deliveries"},
    ),
    "an event tells another state": (
        "UPDATE events SET type = 'invoice.failed' WHERE invoice_id = :first", {"events"}
    ),
    "a delivery is gone": ("DELETE FROM deliveries WHERE id = (SELECT min(id) FROM deliveries)", {"deliveries"}),
    "a unit was not taken": ("UPDATE quotas SET used = used - 1", {"units"}),
    "a vendor's count is off": ("UPDATE vendors SET invoice_count = invoice_count + 1", {"vendors"}),
    "a vendor's total is off": ("UPDATE vendors SET total = '0.01'", {"vendors"}),
    "a vendor is gone": ("DELETE FROM vendors", {"vendors"}),
    "a duplicate is not marked": ("UPDATE invoices SET duplicate_of = NULL", {"duplicates"}),
    "an invoice is marked that is none": (
        "UPDATE invoices SET duplicate_of = 'x' WHERE id = :first", {"duplicates"}
    ),
    "a place in a file is taken twice": (
        "UPDATE invoices SET document = json_set(document, '$.batch.index', 1) WHERE document ->> '$.batch.index' = 2",
        {"batches"},
    ),
    "a deletion was forgotten": (
        "INSERT INTO deletions SELECT 'a2a5a1a0-0000-7000-8000-000000000000', account_id, '[]',"
        """ '{"kind": "command_line", "person_id": null, "name": "Ann"}', 0, 0 FROM invoices WHERE id = :first""",
        {"deletions"},
    ),
    "an invoice is in no export": ("UPDATE invoices SET export_id = 'x' WHERE id = :first", {"exports"}),
    "the file of an export differs from its receipt": (
        "INSERT INTO exports SELECT 'x', account_id, 'datev', 0, '', '', '', 0, '{}', '[]', 1, x'78', NULL, NULL"
        " FROM invoices WHERE id = :first",
        {"exports"},
    ),
    "the evidence is another's": (
        "UPDATE invoices SET evidence_key = 'evidence/a/b/1' WHERE id = :first", {"files"}
    ),
}  # fmt: skip


@pytest.fixture
async def scene(store: Store, files: Files) -> Scene:
    return await make_scene(store, files)


@pytest.fixture
def verification(check: StoreCheck, files: Files) -> Verification:
    return Verification(check, files, pause_seconds=0)


def change(settings: Settings, statement: str, scene: Scene) -> None:
    path = sqlite_path(settings.database_url)
    assert path is not None
    with sqlite3.connect(path) as connection:
        connection.execute(statement, {"first": str(scene.first.invoice.id)} if ":first" in statement else {})
    connection.close()


@pytest.mark.parametrize("store_kind", ["sqlite", "mongomock"])
async def test_sound_data_has_no_differences(verification: Verification, scene: Scene) -> None:
    assert await verification.all_accounts() == [scene.account.id]
    assert await verification.of_account(scene.account.id) == []
    assert await verification.damage() == []
    assert [stray async for stray in verification.strays([scene.account.id])] == []


@pytest.mark.parametrize(("statement", "kinds"), FALSIFIED.values(), ids=FALSIFIED)
async def test_a_false_entry_is_named(
    verification: Verification, scene: Scene, settings: Settings, statement: str, kinds: set[str]
) -> None:
    change(settings, statement, scene)
    found = await verification.of_account(scene.account.id)
    assert {difference.kind for difference in found} == kinds


@pytest.mark.parametrize(
    "statement", [FALSIFIED[name][0] for name in FALSIFIED if FALSIFIED[name][1] <= {"vendors", "duplicates"}]
)
async def test_what_is_derived_is_repaired(
    verification: Verification, scene: Scene, settings: Settings, statement: str, store: Store
) -> None:
    before = await store.vendors.by_spend(scene.account.id, 10)
    change(settings, statement, scene)
    assert all(difference.is_derived for difference in await verification.of_account(scene.account.id))
    await verification.repair(scene.account.id)
    assert await verification.of_account(scene.account.id) == []
    after = await store.vendors.by_spend(scene.account.id, 10)
    assert [(vendor.id, vendor.total_billed, vendor.last_seen_at) for vendor in after] == [
        (vendor.id, vendor.total_billed, vendor.last_seen_at) for vendor in before
    ]


Harm = Callable[[Any, str], Awaitable[object]]
HARMED: dict[str, tuple[Harm, set[str]]] = {
    "events": (lambda db, first: db.events.delete_one({"invoice_id": first}), {"events", "deliveries"}),
    "deliveries": (lambda db, first: db.deliveries.delete_one({}), {"deliveries"}),
    "units": (lambda db, first: db.quotas.update_one({}, {"$inc": {"used": -1}}), {"units"}),
    "vendors": (lambda db, first: db.vendors.update_one({}, {"$set": {"total": "0.01"}}), {"vendors"}),
    "a vendor": (lambda db, first: db.vendors.delete_one({}), {"vendors"}),
    "duplicates": (lambda db, first: db.invoices.update_many({}, {"$set": {"duplicate_of": None}}), {"duplicates"}),
}


@pytest.mark.parametrize("store_kind", ["mongomock"])
@pytest.mark.parametrize(("harm", "kinds"), HARMED.values(), ids=HARMED)
async def test_a_false_entry_of_mongodb_is_named_and_repaired_if_it_is_derived(
    verification: Verification, scene: Scene, database: Database, harm: Harm, kinds: set[str]
) -> None:
    await harm(database.client.get_database(database.url.rpartition("/")[2]), str(scene.first.invoice.id))
    found = await verification.of_account(scene.account.id)
    assert {difference.kind for difference in found} == kinds
    if all(difference.is_derived for difference in found):
        await verification.repair(scene.account.id)
        assert await verification.of_account(scene.account.id) == []


@pytest.mark.parametrize("store_kind", ["sqlite", "mongomock"])
async def test_a_deletion_that_was_not_carried_out_is_named_after_an_hour(
    check: StoreCheck, scene: Scene, store: Store, files: Files, clock: Clock
) -> None:
    plan = PlannedDeletion(new_id(), scene.account.id, (scene.first.invoice.id,), ANN, NOON)
    await store.deletions.add(plan)
    verification = Verification(check, files, pause_seconds=0, clock=clock)
    clock.advance(3600)
    assert await verification.of_account(scene.account.id) == []
    clock.advance(1)
    (found,) = await verification.of_account(scene.account.id)
    assert (found.kind, found.is_derived) == ("deletions", False)
    assert str(plan.id) in found.what
    await store.deletions.end(plan.id)
    assert await verification.of_account(scene.account.id) == []


async def test_files_too_many_and_too_few_are_named(verification: Verification, scene: Scene, files: Files) -> None:
    account, key = scene.account.id, scene.first.file_key
    data = await files.read(key)
    await files.delete(key)
    await files.write(f"{account}/another", data)
    await files.write("00000000-0000-7000-8000-000000000000/1", data)
    found = await verification.of_account(account)
    assert Difference("files", f"no invoice and no mail has the file {account}/another") in found
    assert sum("its document" in difference.what for difference in found) == 2
    strays = [stray.what async for stray in verification.strays([account])]
    assert strays == ["no account has the file 00000000-0000-7000-8000-000000000000/1"]


async def test_what_is_on_its_way_is_no_difference(
    verification: Verification, scene: Scene, store: Store, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file whose invoice comes between two looks."""
    late = f"{scene.account.id}/{new_id()}"
    await files.write(late, b"bytes")
    looks = 0
    listed = files.keys_in

    async def keys_in(folder: str) -> list[str]:
        nonlocal looks
        looks += folder == str(scene.account.id)
        if looks == 2:
            await files.delete(late)
        return await listed(folder)

    monkeypatch.setattr(files, "keys_in", keys_in)
    assert await verification.of_account(scene.account.id) == []
    assert looks == 2


async def test_a_damaged_database_is_named(
    verification: Verification, scene: Scene, settings: Settings, store: Store
) -> None:
    """A page of an index is overwritten."""
    path = sqlite_path(settings.database_url)
    assert path is not None
    await store.connection.close()
    _overwrite_index(path)
    assert await verification.damage() != []


def _overwrite_index(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'events_of_invoice'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * size + size - 40)
        file.write(b"\xff" * 20)
