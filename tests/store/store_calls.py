"""Calls of a store's methods, which show the queries that it makes."""

from dataclasses import replace
from datetime import date, timedelta

from serve_app.domain.account import Account, AccountLimits, Plan, Scope
from serve_app.domain.api_call import ApiCallQuery
from serve_app.domain.canary import Arm, Canary, CanaryRun
from serve_app.domain.chart import NO_CHART
from serve_app.domain.comment import Comment
from serve_app.domain.comparison import Comparison
from serve_app.domain.export import Export, ExportDelivery, ExportFormat, NewExport
from serve_app.domain.export_schedule import Cadence, ExportSchedule
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import DayLimits, HeldFor, MailDocument, MailQuery, MailState
from serve_app.domain.invoice import ApprovalStatus, Confidence, Status
from serve_app.domain.ledger_connection import Ledger, LedgerConnection
from serve_app.domain.mailbox import MailboxPosition
from serve_app.domain.model_pairs import Pin
from serve_app.domain.operator_key import mint_operator_key
from serve_app.domain.order_match import OrderMatchStatus
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.own_field import OwnField, OwnFieldType
from serve_app.domain.pace import Pace
from serve_app.domain.person import Role
from serve_app.domain.purchase_order import OrderQuery, OrderStatus
from serve_app.domain.query import DeliveryQuery, EventQuery, InvoiceQuery, Order, Position, ReviewFilter, SortKey
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.retention import Retention
from serve_app.domain.saved_view import SavedView
from serve_app.domain.vendor import IdentifierKind
from serve_app.domain.watched_folder import FolderScan, WatchedFile, WatchedFolder, folder_id_of
from serve_app.domain.work import WorkQuery
from serve_app.store.base import Store
from tests.store import test_mongo_faults as runs
from tests.support import NOON, queue_new
from tests.support.inbound import add_address, add_mail
from tests.support.orders import make_order
from tests.support.people import add_member, make_session

DAY = date(2026, 5, 17)


EACH_FILTER = (
    InvoiceQuery(vendor_id=new_id()),
    InvoiceQuery(invoice_number="7"),
    InvoiceQuery(currency="EUR"),
    InvoiceQuery(entity_tag="north"),
    InvoiceQuery(approval_status=ApprovalStatus.REQUESTED),
    InvoiceQuery(duplicate=True),
    InvoiceQuery(to_check=True),
    InvoiceQuery(has_alerts=True),
    InvoiceQuery(order_match=OrderMatchStatus.DIFFERS),
    InvoiceQuery(order_id=new_id()),
    InvoiceQuery(custom="plate:X-Y 1"),
    InvoiceQuery(duplicate=False),
    InvoiceQuery(level=Confidence.LOW),
    InvoiceQuery(models="a b"),
    InvoiceQuery(review=ReviewFilter.REJECTED),
    InvoiceQuery(review=ReviewFilter.CONFIRMED),
    InvoiceQuery(batch=new_id()),
    InvoiceQuery(issued_after=DAY),
    InvoiceQuery(issued_before=DAY),
    InvoiceQuery(issued_after=DAY, issued_before=DAY + timedelta(days=31)),
)


async def look_around(store: Store, account: Account) -> None:
    for query in (InvoiceQuery(), InvoiceQuery(status=Status.FAILED, vendor="a", overdue=False), *EACH_FILTER):
        await store.invoices.page(account.id, query, 10, new_id())
    for key in SortKey:
        for place in (None, Position("1", new_id()), Position(None, new_id())):
            await store.invoices.sorted_page(account.id, InvoiceQuery(), Order(key), 10, place)
    await store.invoices.models(account.id)
    await store.deletions.open(account.id)
    await store.deletions.due(NOON, 10)
    await store.events.page(account.id, EventQuery(), 10)
    await store.deliveries.page(account.id, DeliveryQuery(endpoint_id=new_id()), 10)
    await store.reviews.unseen(account.id, NOON, 10)
    await store.vendors.by_spend(account.id, 10)
    await store.keys.of_account(account.id)
    await store.keys.find_caller("hash", NOON)
    await store.keys.note_use([new_id()], DAY)
    await store.calls.page(account.id, ApiCallQuery(), 10, new_id())
    await store.vendors.spend(account.id, [new_id()])
    await store.vendors.page(account.id, 10, None, "nord")
    await store.vendors.merged(account.id, new_id())
    await store.vendors.kept_id(account.id, new_id())
    await store.vendors.keys_alike(account.id, ["acme"])
    await store.vendors.id_of(account.id, "acme")
    await store.vendors.identifiers(account.id, [new_id()])
    for kind in (IdentifierKind.IBAN, IdentifierKind.TAX_NUMBER):
        await store.vendors.identified_by(account.id, kind, "7")
    await store.deliveries.attempts_since(new_id(), NOON)
    await store.invoices.approval_times(account.id, [new_id()])
    await store.queue.backlog()
    await store.paces.note(Pace("a", NOON, {}))
    await store.paces.since(NOON)
    await store.events.failures(NOON, 10)
    await _look_at_candidates(store, account)
    await store.quotas.by_month(account.id, NOON)
    await store.quotas.usage_by_month(account.id, NOON)
    await _look_at_people(store, account)
    await _look_at_mails(store, account)
    await store.memory.examples(account.id, ("x",), 10)
    await store.work.waiting(account.id, WorkQuery(put_off_by=new_id()), 10)
    await store.work.counts(account.id, NOON, 10)
    await store.endpoints.with_unnotified_owner(10)
    await store.queue.finished_among([new_id()])
    await store.quotas.used(account.id, NOON)
    await store.rate_windows.count(new_id(), NOON)
    record = await queue_new(store, account.id)
    await _export(store, account, record)
    await store.comments.add(Comment(new_id(), account.id, record.invoice.id, NOON, new_id(), "Ann", "-"))
    await _look_at_orders(store, account)
    view = SavedView(new_id(), account.id, new_id(), "-", "")
    await store.saved_views.put(view)
    await store.saved_views.of_person(account.id, view.person_id)
    await store.saved_views.remove(account.id, view.person_id, view.id)
    await store.comments.of_invoice(account.id, record.invoice.id, 9)
    await store.comments.mentioning(account.id, new_id(), 9)
    operator_key, _ = mint_operator_key("billing", Scope.FULL, NOON)
    await store.operator_keys.add(operator_key)
    await store.operator_keys.find(operator_key.hash)
    await store.operator_keys.list_all()
    await store.operator_keys.revoke(operator_key.id, NOON)
    await store.plans.put(Plan("trial", AccountLimits(running=2)))
    await store.plans.list_all()
    await store.plans.get("trial")
    await store.plans.in_use()
    await store.plans.remove("trial")
    await store.pins.put(Pin(account.id, "older", DAY, NOON))
    await store.pins.of_account(account.id)
    await store.pins.list_all()
    await store.pins.remove(account.id)
    await store.charts.put(account.id, NO_CHART, 0)
    await store.charts.put(account.id, NO_CHART, 1)
    await store.charts.of_account(account.id)
    await store.coding_examples.newest(account.id, 9)
    await store.coding_examples.state(account.id)
    await store.own_fields.put(account.id, OwnField(name="plate", label="Plate", type=OwnFieldType.TEXT))
    await store.own_fields.of_account(account.id)
    await store.own_fields.remove(account.id, "plate")
    await store.own_field_examples.newest(account.id, 9)
    await store.own_field_examples.state(account.id)
    await store.retention.set_rule(account.id, Retention(1))
    await store.retention.rules([account.id])
    await store.retention.receipts(10, account.id, new_id())
    for record in await store.retention.oldest_with_documents(account.id, 1):
        await store.retention.note_document_gone(record, NOON)
        await store.retention.documents_gone_until(record)
    oldest = await store.retention.oldest_events(account.id, 10, "evt_")
    await store.retention.remove_archived(
        account.id, [delivered for delivered in oldest if delivered.is_settled][:1], NOON
    )


async def _look_at_candidates(store: Store, account: Account) -> None:
    record, canary = await queue_new(store, account.id), Canary(new_id(), "new", 0.5, NOON, NOON)
    await store.comparisons.put([Comparison(record.invoice.id, account.id, "new", NOON)])
    await store.comparisons.of_invoice(account.id, record.invoice.id)
    await store.comparisons.candidates()
    await store.comparisons.newest("new", 10)
    await store.comparisons.signs(canary.id, 10)
    await store.canaries.put(canary, None)
    await store.canaries.put(Canary(new_id(), "new", 0.5, NOON, NOON), canary)
    await store.canaries.newest(10)
    ids = canary.id, record.invoice.id, account.id
    await store.canaries.add_run(CanaryRun(*ids, NOON, Arm.CONTROL, failed=False, seconds=1.0))
    await store.canaries.note_decision(account.id, record.invoice.id, NOON, corrected=True)
    await store.canaries.runs(canary.id, 10)


async def _look_at_orders(store: Store, account: Account) -> None:
    order = make_order(account.id)
    await store.purchase_orders.add(order)
    await store.purchase_orders.replace(order, 0)
    await store.purchase_orders.get(account.id, [order.id])
    for query in (OrderQuery(), OrderQuery(OrderStatus.OPEN), OrderQuery(number="1"), OrderQuery(vendor="a")):
        await store.purchase_orders.page(account.id, query, 9)
    await store.purchase_orders.numbered(account.id, ["1"])
    await store.purchase_orders.candidates(account.id, ["1"], "a", 9)
    await store.purchase_orders.matching_rules(account.id)
    await store.purchase_orders.set_rules(account.id, OrderRules())
    await store.purchase_orders.rules(account.id)
    await store.purchase_orders.check_again(account.id, [order.id], NOON)
    await store.purchase_orders.due(NOON, 9)
    await store.purchase_orders.checked(order)
    await store.purchase_orders.remove(account.id, order.id)


async def _look_at_people(store: Store, account: Account) -> None:
    ann = await add_member(store, account)
    session, _ = make_session(ann, account)
    await store.sessions.add(session)
    await store.sessions.find(session.hash, NOON)
    await store.sessions.touch(session)
    await store.sessions.set_account(session.hash, account.id)
    await store.sessions.of_person(ann.id, NOON)
    await store.sessions.remove(ann.id, session.id)
    await store.sign_ins.take_link("hash", NOON)
    await store.sign_ins.take_mail("browser", "hash", NOON)
    await store.memberships.set_role(account.id, ann.id, Role.OWNER)
    await store.memberships.of_account(account.id)
    await store.memberships.of_person(ann.id)
    await store.people.operators()
    await store.audit.page(account.id, 10)
    await store.audit.of_target(account.id, "x", 10)
    await store.accounts.page(10)


async def _look_at_mails(store: Store, account: Account) -> None:
    address = await add_address(store, account.id)
    mail = await add_mail(store, address)
    await store.mail_addresses.find(address.local)
    await store.mail_addresses.get(account.id, address.id)
    await store.mails.claim_due(timedelta(seconds=30))
    await store.mails.due_for_cleanup(NOON, 10)
    await store.mails.has_room(address.id, 1, NOON, DayLimits(1, 1))
    await store.mails.get(account.id, mail.id)
    await store.mails.page(account.id, MailQuery(MailState.HELD, HeldFor.SENDER, address.id), 10, new_id())
    await store.mails.page(account.id, MailQuery(has_problems=True, words="x"), 10)
    await store.mails.page(account.id, MailQuery(awaits_answer=True), 10)
    await store.mails.of_account(account.id, 10)
    await store.mails.of_invoice(account.id, new_id())
    await store.mails.accounts_with_held(10, new_id())
    document = MailDocument(account.id, "0" * 64, mail.id, "1", new_id(), NOON)
    await store.mail_documents.claim(document, NOON)
    await store.mail_documents.forget(account.id, document.invoice_id)
    await store.mail_pictures.note(account.id, "x", "0" * 64, mail.id, NOON)
    await store.invoices.of_file(account.id, "0" * 64, NOON)
    await store.automatic_mails.take(account.id, "x", NOON, [(timedelta(hours=1), 1)])
    await store.mailboxes.set_position("x", MailboxPosition(1, 1, NOON))
    await store.mailboxes.position("x")
    await _watch(store, account)
    present = await store.mails.get(account.id, mail.id)
    assert present is not None
    pending = await store.mails.save(replace(present, state=MailState.PENDING_DELETION))
    assert pending is not None
    await store.mails.remove(pending)


async def _export(store: Store, account: Account, record: InvoiceRecord) -> None:
    export = Export(new_id(), account.id, ExportFormat.DATEV, NOON, "ann", "-", "-", 0, (record.invoice.id,))
    export = replace(export, delivery=ExportDelivery("-", NOON))
    await store.exports.add(NewExport(export, b"-", {record.invoice.id: record.invoice.updated_at}))
    await store.exports.page(account.id, 10, new_id())
    await store.exports.get(account.id, export.id)
    await store.exports.content(account.id, export.id)
    await store.exports.unlock(account.id, record.invoice.id, NOON)
    await store.exports.claim_delivery(NOON, NOON)
    await store.exports.record_delivery(export, ExportDelivery("-", NOON))
    await store.exports.deliver_again(account.id, export.id, NOON)
    await store.exports.claim_delivery(NOON, NOON)
    schedule = ExportSchedule(new_id(), account.id, ExportFormat.DATEV, {}, Cadence.DAILY, 18, "-", NOON, "ann", NOON)
    connection = LedgerConnection(account.id, Ledger.XERO, {}, "sealed", NOON)
    await store.ledger_connections.set(connection)
    await store.ledger_connections.get(account.id, Ledger.XERO)
    await store.ledger_connections.replace_secret(connection, "new")
    await store.ledger_connections.list_all()
    await store.ledger_connections.remove(account.id, Ledger.XERO)
    await store.export_schedules.add(schedule)
    await store.export_schedules.of_account(account.id)
    await store.export_schedules.claim_due(NOON, NOON)
    await store.export_schedules.record_run(schedule, NOON, NOON, "")
    await store.export_schedules.set_due(account.id, schedule.id, None)
    await store.export_schedules.remove(account.id, schedule.id)
    for is_exported in (True, False):
        await store.invoices.page(account.id, InvoiceQuery(is_exported=is_exported), 10)


async def _watch(store: Store, account: Account) -> None:
    folder, holder = WatchedFolder(folder_id_of("/srv/in"), account.id, "/srv/in", NOON), new_id()
    await store.watched_folders.add(folder)
    await store.watched_folders.list_all()
    await store.watched_folders.lease(folder, holder, NOON, NOON)
    await store.watched_folders.claim_file(WatchedFile(account.id, folder.id, "0" * 64, new_id(), NOON))
    await store.watched_folders.record_scan(folder, FolderScan(NOON, done=1))
    await store.watched_folders.release(folder, holder)
    await store.watched_folders.set_paused(account.id, folder.id, True)
    await store.watched_folders.remove(account.id, folder.id)


async def tidy(service: runs.Service, account: Account) -> None:
    store = service.store
    await service.submit()
    await store.queue.repair()
    await store.lanes.repair()
    await store.upkeep.expire(NOON + timedelta(days=1))
    await store.sessions.remove_of_person(new_id())
    await store.memberships.remove_all(account.id)
    for record in await store.erasure.next_invoices(account.id, 100):
        await store.erasure.invoice(record, service.clock.now)
    await store.erasure.account(account.id)
