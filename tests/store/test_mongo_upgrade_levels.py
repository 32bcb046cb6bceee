"""Invoices that an earlier version stored are found by their level and their models."""

from typing import Any

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Confidence, Field, ModelRevisions, Status
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.record import InvoiceRecord
from serve_app.store.mongo.invoices.codec import new_row
from serve_app.store.mongo.store import open_mongo
from tests.store.mongo_faults import background_done
from tests.support import NOON, Clock, make_record
from tests.support.mongomock import mock_client

ACCOUNT = Account(new_id(), Plan.FREE, NOON)


def old_row(status: Status, level: Confidence) -> dict[str, Any]:
    record = make_record(ACCOUNT.id)
    read = {"field_confidence": {Field.VENDOR: level}, "models": ModelRevisions(extractor="a", verifier="b")}
    invoice = record.invoice.model_copy(update={"status": status, **read})
    row = new_row(InvoiceRecord(invoice, ACCOUNT.id, record.file_key, None), unit="")
    return {name: value for name, value in row.items() if name not in ("level", "models")}


async def test_those_that_are_complete_are_found() -> None:
    client: Any = mock_client()
    low, high = old_row(Status.COMPLETE, Confidence.LOW), old_row(Status.COMPLETE, Confidence.HIGH)
    for row in (low, high, old_row(Status.QUEUED, Confidence.LOW)):
        await client.get_database("invoices").invoices.insert_one(row)
    store = open_mongo("mongodb://nowhere/invoices", 8, Clock(), client)
    await store.connection.ping()
    await background_done()
    page = await store.invoices.page(ACCOUNT.id, InvoiceQuery(level=Confidence.LOW), 10)
    assert [str(invoice.id) for invoice in page.items] == [low["_id"]]
    page = await store.invoices.page(ACCOUNT.id, InvoiceQuery(models="a b"), 10)
    assert {str(invoice.id) for invoice in page.items} == {low["_id"], high["_id"]}
