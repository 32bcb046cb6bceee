"""What documents of earlier versions lack is filled in as the present program writes it, once for the database."""

from typing import Any

from serve_app.store.base import Files
from serve_app.store.mongo.store import open_mongo
from tests.store.mongo_faults import background_done
from tests.support import Clock
from tests.support.mongomock import mock_client
from tests.support.sound import make_scene

LATER: dict[str, tuple[str, ...]] = {"invoices": ("trigrams", "level", "models"), "vendors": ("name_folded",)}


async def open_again(client: Any) -> None:
    store = open_mongo("mongodb://nowhere/invoices", 8, Clock(), client)
    await store.connection.ping()
    await background_done()


async def documents(collections: Any) -> dict[str, list[dict[str, Any]]]:
    return {name: await collections[name].find({}).sort("_id", 1).to_list(None) for name in LATER}


async def test_fields_that_came_later_are_what_they_would_have_been(files: Files) -> None:
    client: Any = mock_client()
    await make_scene(open_mongo("mongodb://nowhere/invoices", 8, Clock(), client), files)
    collections = client.get_database("invoices")
    await background_done()
    expected = await documents(collections)
    await collections.upgrades.delete_many({"_id": {"$ne": "schema"}})
    for name, fields in LATER.items():
        lacking = {"status": "complete"} if name == "invoices" else {}
        await collections[name].update_many(lacking, {"$unset": dict.fromkeys(fields, "")})
    assert await documents(collections) != expected
    await open_again(client)
    assert await documents(collections) == expected


async def test_a_fill_is_made_once(files: Files) -> None:
    client: Any = mock_client()
    await make_scene(open_mongo("mongodb://nowhere/invoices", 8, Clock(), client), files)
    collections = client.get_database("invoices")
    await background_done()
    notes = await collections.upgrades.find({}).sort("_id", 1).to_list(None)
    assert len(notes) == 8
    await collections.vendors.update_many({}, {"$unset": {"name_folded": ""}})
    await open_again(client)
    assert await collections.vendors.count_documents({"name_folded": {"$exists": True}}) == 0
    assert await collections.upgrades.find({}).sort("_id", 1).to_list(None) == notes
