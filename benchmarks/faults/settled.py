"""Waiting until a service has done all that it was given."""

import asyncio
import time
from contextlib import closing
from pathlib import Path
from typing import Protocol

from benchmarks.faults.mongo_contents import open_work_in
from serve_app.store.sqlite.engine.driver import sqlite3

# Beyond every lease, every retry and every restart of a replica.
SETTLED_WITHIN_S = 300.0
_OPEN = {
    "unfinished": "SELECT count(*) FROM invoices WHERE status IN ('queued', 'processing')",
    "events in an outbox": "SELECT count(*) FROM invoices WHERE outbox != '[]'",
    "reservations": "SELECT count(*) FROM reservations",
    "mails": "SELECT count(*) FROM mails WHERE state IN ('arriving', 'queued', 'reading')",
}


class Stored(Protocol):
    """A service, as far as its data goes: in a MongoDB database, or in an SQLite file."""

    @property
    def mongodb(self) -> str | None: ...

    @property
    def database(self) -> Path: ...


async def wait_until_settled(service: Stored, within_s: float = SETTLED_WITHIN_S) -> float:
    """The seconds until nothing was left to do, or `within_s`: what is open then, the contents show."""
    began = time.monotonic()
    while (waited := time.monotonic() - began) < within_s:
        if not any((await asyncio.to_thread(open_work, service)).values()):
            break
        await asyncio.sleep(0.5)
    return waited


def open_work(service: Stored) -> dict[str, int]:
    """What is left to do, by kind."""
    if service.mongodb:
        return open_work_in(service.mongodb)
    with closing(sqlite3.connect(f"file:{service.database}?mode=ro", uri=True, timeout=10)) as connection:
        return {name: int(connection.execute(query).fetchone()[0]) for name, query in _OPEN.items()}
