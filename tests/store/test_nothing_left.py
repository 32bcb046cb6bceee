"""A walk over all tables and collections: an account that is erased leaves nothing behind, in none of them."""

import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from uuid import UUID

import pytest

from serve_app.domain.account import Account, Plan, Scope, mint_key
from serve_app.domain.api_call import ApiCall
from serve_app.domain.approval_mail import MailLimits
from serve_app.domain.audit import Actor, ActorKind, AuditEntry
from serve_app.domain.canary import Arm, Canary, CanaryRun
from serve_app.domain.chart import NO_CHART
from serve_app.domain.comment import Comment
from serve_app.domain.comparison import Comparison, Difference
from serve_app.domain.deletion import PlannedDeletion
from serve_app.domain.erased import Erased
from serve_app.domain.export import Export, ExportFormat, NewExport
from serve_app.domain.export_schedule import Cadence, ExportSchedule
from serve_app.domain.idempotency import IdempotencyRecord
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import MailDocument, MailPart, MailState, Outcome
from serve_app.domain.invoice import CustomValue, Extraction, Field, Status
from serve_app.domain.ledger_connection import Ledger, LedgerConnection
from serve_app.domain.mailbox import MailboxPosition
from serve_app.domain.model_pairs import Pin
from serve_app.domain.order_match import MatchedOrder, OrderMatch, OrderMatchStatus
from serve_app.domain.own_field import OwnField, OwnFieldType
from serve_app.domain.quality import Threshold
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.record import DEPLOYMENT
from serve_app.domain.retention import Retention
from serve_app.domain.saved_view import SavedView
from serve_app.domain.sign_in import MailSignIn, SignInLink
from serve_app.domain.watched_folder import WatchedFile, WatchedFolder, folder_id_of
from serve_app.services.accounts.erase import AccountEraser
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.retention.archive import EventArchive
from serve_app.services.upkeep.housekeeping import Housekeeping
from serve_app.settings import Settings, sqlite_path
from serve_app.store.base import Files, Store
from serve_app.store.sqlite.engine.driver import sqlite3
from tests.store.hooks import REACHED, claim_one
from tests.store.test_memory import ACME, teach
from tests.support import MONTH, NOON, Clock, claim_next, make_record, queue_new
from tests.support.databases import Database
from tests.support.inbound import add_address, add_mail
from tests.support.orders import make_order
from tests.support.people import add_member, make_session
from tests.support.sound import Scene, add_document, make_scene, spread

ANN = Actor(ActorKind.PERSON, new_id(), "ann@example.com")
HOUR = timedelta(hours=1)
OF_NO_ACCOUNT = {
    "doomed_files": "files that are being removed; there are none unless a process dies",
    "mailboxes": "how far a mailbox of the deployment has been read, by its name",
    "paces": "how fast documents are read, without a word of them",
    "deployment": "the id of the deployment",
    "plans": "limits that the operator sells, by name",
    "operator_keys": "keys of operators",
    "schema_info": "the version of the tables",
    "upgrades": "the version of the documents",
}
"""Tables that need not mention an account before it is erased."""
_OF_A_SEARCH = "invoice_text"
_OF_AN_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")

Rows = Mapping[str, list[str]]
Look = Callable[[], Awaitable[Rows]]


@pytest.fixture
def look(database: Database, settings: Settings) -> Look:
    """Reads all rows of all tables, as text."""

    async def of_sqlite() -> Rows:
        path = sqlite_path(settings.database_url)
        assert path is not None
        with sqlite3.connect(path) as connection:
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            rows = {name: [str(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in names}  # noqa: S608
        connection.close()
        return rows

    async def of_mongodb() -> Rows:
        if database.client is None:
            pytest.skip("read through the simulated client")
        collections = database.client.get_database(database.url.rpartition("/")[2])
        names = await collections.list_collection_names()
        return {name: [str(row) for row in await collections[name].find().to_list(None)] for name in names}

    return of_sqlite if database.url.startswith("sqlite") else of_mongodb


@pytest.fixture
async def scene(store: Store, files: Files, clock: Clock) -> Scene:
    """An account that has used everything there is."""
    scene = await make_scene(store, files)
    await _people(store, scene.account)
    await _api(store, scene.account)
    await _invoices(store, files, clock, scene)
    await _mails(store, files, scene)
    await store.deliveries.delivered(await claim_one(store, scene.endpoint), REACHED)
    archived = await EventArchive(store, files, clock).move(scene.account.id, NOON + HOUR)
    # The end of a run, a confirmation and an export.
    assert archived == Erased(events=3, deliveries=1)
    return scene


async def _people(store: Store, account: Account) -> None:
    ann = await add_member(store, account)
    await store.sessions.add(make_session(ann, account)[0])
    await store.sign_ins.add_link(SignInLink(f"hash of {account.id}", ann.id, NOON + HOUR))
    await store.sign_ins.add_mail(
        MailSignIn(f"browser of {account.id}", f"link of {account.id}", "code", ann.id, NOON + HOUR)
    )
    await store.audit.add(AuditEntry(new_id(), account.id, NOON, ANN, "key.made"))


async def _api(store: Store, account: Account) -> None:
    key, _ = mint_key(account.id, "till", Scope.FULL, NOON)
    await store.keys.add(key)
    await store.rate_windows.count(key.id, NOON)
    await store.calls.add([ApiCall(new_id(), account.id, key.id, "r", NOON, "GET", "/v1/me", 200, None, 1)])
    await store.idempotency.hold(IdempotencyRecord(account.id, "key", new_id(), new_id(), NOON, NOON))
    # Of the operator's key that created the account.
    await store.idempotency.hold(IdempotencyRecord(new_id(), "key", account.id, new_id(), NOON, NOON))
    await store.approval_mails.take(account.id, "bob@example.com", NOON, MailLimits(9, 9))
    await store.thresholds.rise(account.id, Field.AMOUNT, Threshold(1, NOON))
    await store.retention.set_rule(account.id, Retention(30))
    await store.pins.put(Pin(account.id, "older", NOON.date(), NOON))
    await store.charts.put(account.id, NO_CHART, 0)
    assert await store.own_fields.put(account.id, OwnField(name="plate", label="Plate", type=OwnFieldType.TEXT))
    place = f"/srv/{account.id}"
    folder = WatchedFolder(folder_id_of(place), account.id, place, NOON)
    assert await store.watched_folders.add(folder)
    await store.watched_folders.claim_file(WatchedFile(account.id, folder.id, "0" * 64, new_id(), NOON))


async def _invoices(store: Store, files: Files, clock: Clock, scene: Scene) -> None:
    account = scene.account
    deleted = await add_document(store, files, account, numbers=("7",))
    await spread(store)
    await InvoiceEraser(store, files, clock).erase(account.id, deleted.invoice.id)
    waiting = await queue_new(store, account.id)
    await files.write(waiting.file_key, b"%PDF")
    await teach(store, scene.first, ACME)
    await _candidates(store, account, scene.first.invoice.id)
    (invoice, *_) = (await store.invoices.page(account.id, InvoiceQuery(status=Status.COMPLETE), 1)).items
    export = Export(new_id(), account.id, ExportFormat.DATEV, NOON, "ann@example.com", "-", "-", 0, (invoice.id,))
    assert await store.exports.add(NewExport(export, b"-", {invoice.id: invoice.updated_at}))
    when = Cadence.DAILY, 18, "/srv/ledger", NOON, "ann@example.com", NOON
    assert await store.export_schedules.add(ExportSchedule(new_id(), account.id, ExportFormat.DATEV, {}, *when))
    assert await store.ledger_connections.set(LedgerConnection(account.id, Ledger.XERO, {}, "sealed", NOON))
    await spread(store)
    # One is being sent, and its process dies.
    await store.intake.reserve(make_record(account.id), MONTH, None)
    await store.deletions.add(PlannedDeletion(new_id(), account.id, (scene.first.invoice.id,), ANN, NOON))


async def _candidates(store: Store, account: Account, invoice_id: UUID) -> None:
    differences = (Difference("vendor", "Acme", "Acne"),)
    (member, *_) = await store.memberships.of_account(account.id)
    await store.saved_views.put(SavedView(new_id(), account.id, member.person.id, "-", ""))
    assert await store.comments.add(Comment(new_id(), account.id, invoice_id, NOON, new_id(), "Ann", "-", (new_id(),)))
    order = make_order(account.id)
    assert await store.purchase_orders.add(order)
    matched = OrderMatch(status=OrderMatchStatus.MATCHED, orders=[MatchedOrder(id=order.id, number="1")])
    await queue_new(store, account.id)
    found = Extraction(order_match=matched, custom={"plate": CustomValue(value="X-Y 1")})
    await store.queue.save_result(await claim_next(store), found, NOON)
    await store.comparisons.put([Comparison(invoice_id, account.id, "new", NOON, differences=differences)])
    canary = Canary(new_id(), "new", 0.5, NOON, NOON, frozenset({account.id}))
    await store.canaries.put(canary, await store.canaries.present())
    run = CanaryRun(canary.id, invoice_id, account.id, NOON, Arm.CONTROL, failed=False, seconds=1.0)
    await store.canaries.add_run(run)


async def _mails(store: Store, files: Files, scene: Scene) -> None:
    account, invoice_id = scene.account, scene.first.invoice.id
    address = await add_address(store, account.id)
    part = MailPart("1", Outcome.INVOICE, "", "bill.pdf", "application/pdf", 7, invoice_id=invoice_id)
    mail = await add_mail(store, address, state=MailState.DONE, due_at=None, has_raw=True, parts=(part,))
    await files.write(mail.file_key, b"raw")
    await store.mail_documents.claim(MailDocument(account.id, "aa", mail.id, "1", invoice_id, NOON), NOON)
    await store.mail_pictures.note(account.id, "anna@example.com", "bb", mail.id, NOON)
    await store.automatic_mails.take(account.id, "answer:anna@example.com", NOON, [(HOUR, 9)])
    await store.mailboxes.set_position("INBOX", MailboxPosition(1, 1, NOON))


def mentioned(rows: Rows, *ids: object) -> dict[str, set[str]]:
    """The tables with rows that mention one of these, and all the ids in such rows."""
    wanted = [str(id) for id in ids]
    hits = {name: [row for row in found if any(id in row for id in wanted)] for name, found in rows.items()}
    return {name: {id for row in found for id in _OF_AN_ID.findall(row)} for name, found in hits.items() if found}


async def test_an_erased_account_leaves_nothing_in_any_table(
    scene: Scene, store: Store, files: Files, clock: Clock, look: Look
) -> None:
    before = await look()
    own = mentioned(before, scene.account.id, scene.endpoint.id)
    ids = set().union(*own.values())
    with_rows = mentioned(before, *ids)
    empty = {name for name in before if name not in with_rows and _OF_A_SEARCH not in name}
    assert empty - OF_NO_ACCOUNT.keys() == set(), "let the account use these, or say why it cannot"
    await AccountEraser(store, files, clock).erase(scene.account.id)
    # What crashed while it was sent is found by its reservation, once it is old.
    clock.advance(2 * HOUR.total_seconds())
    await Housekeeping(store, files, HOUR.total_seconds(), clock).run_round()
    after = await look()
    # They prove that the account was removed, and say no more of it than its id.
    rows = dict(after)
    receipts = rows.pop("receipts")
    # Canaries are the deployment's, and have ids of their own.
    assert mentioned({"canaries": rows.pop("canaries")}, scene.account.id) == {}
    assert len(receipts) == 2
    assert all(len(set(_OF_AN_ID.findall(receipt)) - {str(scene.account.id)}) == 1 for receipt in receipts)
    names = "ann@example.com", "bob@example.com", "anna@example.com", "Acme"
    assert mentioned(rows, *ids, *names) == mentioned(after, *names) == {}
    # Nor is the note whose the file store is.
    assert [file.key async for file in files.list_all()] == [DEPLOYMENT]


async def test_another_account_is_left_as_it_was(
    scene: Scene, store: Store, files: Files, clock: Clock, look: Look
) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    await _people(store, other)
    await _api(store, other)
    kept = mentioned(await look(), other.id)
    await AccountEraser(store, files, clock).erase(scene.account.id)
    assert mentioned(await look(), other.id) == kept


async def test_an_erased_invoice_leaves_nothing_of_it_in_tables_of_mails(
    scene: Scene, store: Store, files: Files, clock: Clock, look: Look
) -> None:
    invoice_id = scene.first.invoice.id
    await InvoiceEraser(store, files, clock).erase(scene.account.id, invoice_id)
    left = {name for name in mentioned(await look(), invoice_id) if name.startswith(("mail", "automatic"))}
    assert left == set()
    assert [file.key async for file in files.list_all() if file.key.startswith("mails")] == []
