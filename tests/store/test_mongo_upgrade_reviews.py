"""Invoices that an earlier version stored, which had no reviews, can be reviewed."""

from typing import Any

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Status
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.record import InvoiceRecord
from serve_app.store.mongo.invoices.codec import new_row
from serve_app.store.mongo.store import open_mongo
from tests.store.mongo_faults import background_done
from tests.store.test_reviews import say, saying
from tests.support import NOON, Clock, make_record
from tests.support.mongomock import mock_client

ACCOUNT = Account(new_id(), Plan.FREE, NOON)


def old_row(*, auto_verified: bool) -> dict[str, Any]:
    record = make_record(ACCOUNT.id)
    invoice = record.invoice.model_copy(update={"status": Status.COMPLETE, "auto_verified": auto_verified})
    row = new_row(InvoiceRecord(invoice, ACCOUNT.id, record.file_key, None), unit="")
    del row["document"]["review"]
    return {name: value for name, value in row.items() if name not in ("needs_person", "review_status", "evidence_key")}


async def test_those_that_nobody_verified_wait_for_a_person() -> None:
    client: Any = mock_client()
    sure, unsure = old_row(auto_verified=True), old_row(auto_verified=False)
    for row in (sure, unsure):
        await client.get_database("invoices").invoices.insert_one(row)
    store = open_mongo("mongodb://nowhere/invoices", 8, Clock(), client)
    await store.connection.ping()
    await background_done()
    page = await store.invoices.page(ACCOUNT.id, InvoiceQuery(to_check=True), 10)
    assert [str(invoice.id) for invoice in page.items] == [unsure["_id"]]
    record = await store.invoices.find_record(ACCOUNT.id, page.items[0].id)
    assert record is not None
    saved = await say(store, record, record.review.changed(saying(amount="1.00")))
    assert saved.invoice.review.fields == ["amount"]
