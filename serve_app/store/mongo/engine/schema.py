"""The version of the documents, kept in the database: a program does not work on those of a newer one that it does not
understand."""

from serve_app.store.mongo.engine.types import Collections

SCHEMA = 1
"""The version of the documents that this program writes."""
OLDEST = 1
"""The oldest version whose program works on documents of the current version as well; see `store/sqlite/schema`."""
_THIS = {"_id": "schema"}
RESTORING = {"_id": "restore"}
"""The note in `upgrades` that the database is being filled with a backup, and not whole yet."""


async def stored_versions(collections: Collections) -> tuple[int, int] | None:
    """The version of the documents, and the oldest whose program works on them; None if no program has recorded one."""
    row = await collections.upgrades.find_one(_THIS)
    return None if row is None else (row["version"], row["oldest"])


async def refuse_newer(collections: Collections) -> tuple[int, int] | None:
    """The same. Raises RuntimeError if this program does not work on these documents."""
    found = await stored_versions(collections)
    if found is not None and found[0] > SCHEMA and found[1] > SCHEMA:
        raise RuntimeError(
            f"the database has schema version {found[0]}, this program supports {SCHEMA}: update the program"
        )
    return found


async def is_being_restored(collections: Collections) -> bool:
    """Whether the database has only a part of a backup, because a restore is running or was cut off."""
    return await collections.upgrades.find_one(RESTORING) is not None


async def note_version(collections: Collections) -> None:
    """Note that this program writes here, before it does. Raises RuntimeError as `refuse_newer` does, and if the
    database is not wholly restored."""
    if await is_being_restored(collections):
        raise RuntimeError("a restore into this database is running or was interrupted: run invoices restore again")
    found = await refuse_newer(collections)
    if found is None or found[0] < SCHEMA or (found[0] == SCHEMA and found[1] < OLDEST):
        await collections.upgrades.update_one(_THIS, {"$max": {"version": SCHEMA, "oldest": OLDEST}}, upsert=True)
