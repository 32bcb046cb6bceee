"""Mails that an earlier version stored are found by their words and their problems without having been shown."""

from pathlib import Path
from typing import Any

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import Heading, MailPart, MailQuery, MailState, Outcome
from serve_app.domain.invoice import Failure, FailureCode
from serve_app.store.base import Store
from serve_app.store.mongo.store import open_mongo
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.store import open_sqlite
from tests.store.mongo_faults import background_done
from tests.support import NOON, Clock, claim_next, queue_new
from tests.support.inbound import add_address, add_mail
from tests.support.mongomock import mock_client

ACCOUNT = Account(new_id(), Plan.FREE, NOON)
HEADING = Heading("anna@shop.test", "Anna Müller", "Größe")
UNREADABLE = MailPart("1", Outcome.UNREADABLE, "damaged", name="Übersicht.pdf")


async def fill(store: Store) -> None:
    """A mail with a damaged file, one with an invoice that failed, and one without a problem."""
    await store.accounts.add(ACCOUNT)
    address = await add_address(store, ACCOUNT.id)
    await add_mail(store, address, "a", state=MailState.DONE, heading=HEADING, parts=(UNREADABLE,))
    record = await queue_new(store, ACCOUNT.id)
    await store.queue.fail(await claim_next(store), Failure(code=FailureCode.NO_TEXT_FOUND, message="-"), NOON)
    part = MailPart("1", Outcome.INVOICE, "", invoice_id=record.invoice.id, name="second.pdf")
    await add_mail(store, address, "b", state=MailState.DONE, parts=(part,))
    await add_mail(store, address, "c", state=MailState.DONE)


async def assert_found(store: Store) -> None:
    for words, expected in (("grosse", "a"), ("MULLER", "a"), ("übersicht", "a"), ("second.pdf", "b")):
        page = await store.mails.page(ACCOUNT.id, MailQuery(words=words), 10)
        assert [mail.fingerprint for mail in page.items] == [expected], words
    assert not (await store.mails.page(ACCOUNT.id, MailQuery(words="comÜbersicht"), 10)).items
    page = await store.mails.page(ACCOUNT.id, MailQuery(has_problems=True), 10)
    assert [(mail.fingerprint, mail.problems) for mail in page.items] == [("b", 1), ("a", 1)]


async def test_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "invoices.db"
    await fill(open_sqlite(path, 8, Clock()))
    before = sqlite3.connect(path, isolation_level=None)
    before.execute("UPDATE mails SET words = NULL, problems = 0")
    before.execute("PRAGMA user_version = 28")
    before.close()
    await assert_found(open_sqlite(path, 8, Clock()))


async def test_of_mongodb() -> None:
    client: Any = mock_client()
    await fill(open_mongo("mongodb://nowhere/invoices", 8, Clock(), client))
    rows: Any = client.get_database("invoices")
    await rows.mails.update_many({}, {"$unset": {"words": "", "problems": ""}})
    await rows.upgrades.delete_many({})
    store = open_mongo("mongodb://nowhere/invoices", 8, Clock(), client)
    await store.connection.ping()
    await background_done()
    await assert_found(store)
