"""The contents of a MongoDB store after a run, read from its collections and from GridFS."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pymongo import MongoClient
from pymongo.database import Database

from benchmarks.faults.store_contents import StoreContents, invoice_of, mail_of, visible
from serve_app.store.mongo.engine.client import database_name
from serve_app.store.mongo.engine.indexes import FILE_INDEXES, INDEXES
from serve_app.store.mongo.engine.types import named

Row = dict[str, Any]
_COLUMNS = {
    "events": ("account_id", "invoice_id", "type"),
    "deliveries": ("event_id", "endpoint_id"),
    "endpoints": ("account_id", "types"),
    "quotas": ("account_id", "used"),
    "vendors": ("account_id", "key", "invoice_count", "total"),
}
_UNFINISHED = {"status": {"$in": ["queued", "processing"]}}
# Left out of a document while they are not set.
_UNSET = {"entity_tag": None, "approval_status": None}
_OPEN_MAIL = {"state": {"$in": ["arriving", "queued", "reading"]}}
_OUTBOX = {"outbox": {"$exists": True, "$ne": []}}


class MongoContents(StoreContents):
    """The same as `StoreContents`, once nothing is written any more."""

    def __init__(self, url: str) -> None:
        with _reading(url) as database:
            rows = list(database.invoices.find().sort("_id"))
            self.invoices = [invoice_of(_UNSET | named(row), row["document"]) for row in rows]
            self._tables = {name: _table(database, name, columns) for name, columns in _COLUMNS.items()}
            self.open_outboxes = database.invoices.count_documents(_OUTBOX)
            self.reservations = _reservations(database)
            self.slots = database.invoices.count_documents({"seat": {"$exists": True}})
            self.integrity = "ok"
            self._sort(str(file["filename"]) for file in database["fs.files"].find())
            self.mails = visible(mail_of(named(row), row["document"]) for row in database.mails.find())
            self.parts = database["fs.unfinished"].count_documents({})


def create_collections(url: str) -> None:
    """All that the store uses. SecantusDB 0.7 locks up where an index and a write create the same one at once."""
    indexed = {index.collection for index in (*INDEXES, *FILE_INDEXES)}
    with _reading(url) as database:
        for name in indexed | {"accounts", "fs.files", "fs.chunks"}:
            database.create_collection(name)


def open_work_in(url: str) -> dict[str, int]:
    """What is left to do, by kind."""
    with _reading(url) as database:
        return {
            "unfinished": database.invoices.count_documents(_UNFINISHED),
            "events in an outbox": database.invoices.count_documents(_OUTBOX),
            "reservations": _reservations(database),
            "mails": database.mails.count_documents(_OPEN_MAIL),
        }


@contextmanager
def _reading(url: str) -> Iterator[Database[Row]]:
    with MongoClient[Row](url) as client:
        yield client[database_name(url)]


def _table(database: Database[Row], name: str, columns: tuple[str, ...]) -> list[Mapping[str, Any]]:
    """The documents as the rows of a database with columns: lists are JSON there. Ids are in the order of time."""
    rows = database[name].find().sort("_id")
    return [{"id": row["_id"], **{column: _value(row[column]) for column in columns}} for row in rows]


def _value(value: object) -> object:
    return json.dumps(value) if isinstance(value, list) else value


def _reservations(database: Database[Row]) -> int:
    recorded = sum(len(month["open"]) for month in database.quotas.find())
    return recorded + database.doomed_files.count_documents({})
