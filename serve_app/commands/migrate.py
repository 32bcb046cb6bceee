"""`invoices migrate`: brings the database to the schema of this program, or says what that would be."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from serve_app.commands.changes import record
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import run_on_store
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.settings import Settings
    from serve_app.store.base.copies import SchemaVersions


def migrate(
    check: Annotated[bool, typer.Option("--check", help="Only print the planned change.")] = False,
) -> None:
    """Migrate the database to the schema of this version, as its first start does. The previous version can keep
    running, unless it is refused."""
    from serve_app.commands.preflight import check_store
    from serve_app.settings.reading import read_settings

    settings = read_settings()
    program, found = asyncio.run(_versions(settings))
    if found is not None and found.present > program and found.oldest > program:
        raise CommandError(
            f"the database has schema version {found.present}, which needs a program of version {found.oldest} or"
            f" later; this one knows {program}: update it, or restore a backup"
        )
    say(_described(found, program))
    if not check:
        check_store(settings)
        if found is None or found.present < program:
            _record(settings, found, program)
            say(f"The database now has version {program}.")


def _record(settings: "Settings", found: "SchemaVersions | None", program: int) -> None:
    before = None if found is None else found.present
    run_on_store(settings, lambda store: record(store, None, "database.migrated", before=before, version=program))


def _described(found: "SchemaVersions | None", program: int) -> str:
    if found is None:
        return f"The database is new; this program creates version {program}."
    if found.present < program:
        return f"The database has version {found.present}; this program migrates it to version {program}."
    if found.present > program:
        return (
            f"The database has version {found.present} from a newer program; this one knows {program} and can use it."
        )
    return f"The database has version {program} and needs no migration."


async def _versions(settings: "Settings") -> "tuple[int, SchemaVersions | None]":
    """What the program knows, and what the database has."""
    from serve_app.store.factory import open_whole

    database = open_whole(settings, is_idle=True)
    try:
        return database.schema, await database.versions()
    finally:
        await database.close()
