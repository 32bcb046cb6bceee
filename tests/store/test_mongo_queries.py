"""Every query of the MongoDB store is served by an index, and every index serves a query.

MongoDB uses an index only where the query bounds its first field, or sorts by it, and is within what a partial one has.
Mongomock does not care, so the queries of a few days are written down and compared with the indexes."""

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.api_call import ApiCallQuery
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import HeldFor, MailDocument, MailQuery, MailState
from serve_app.domain.invoice import ApprovalStatus, Status
from serve_app.domain.mailbox import MailboxPosition
from serve_app.domain.person import Role
from serve_app.domain.query import DeliveryQuery, EventQuery, InvoiceQuery
from serve_app.domain.work import WorkQuery
from serve_app.store.base import Store
from serve_app.store.mongo.filters import invoice_filter
from serve_app.store.mongo.indexes import INDEXES, Index
from tests.store import test_mongo_faults as runs
from tests.store import test_mongo_hook_faults as hooks
from tests.store.mongo_faults import Fault, FaultyClient, FaultyCollection
from tests.support import NOON, Clock
from tests.support.inbound import add_address, add_mail
from tests.support.mongomock import mock_client
from tests.support.people import add_member, make_session

Row = dict[str, Any]
_ONE = frozenset({"find_one", "find_one_and_update", "update_one", "delete_one", "replace_one"})
_MANY = frozenset({"find", "update_many", "delete_many"})
# Once in a process, and over all endpoints, which are few.
_UPGRADE = {"lane": {"$exists": False}}

DAY = date(2026, 5, 17)
EACH_FILTER = (
    InvoiceQuery(vendor_id=new_id()),
    InvoiceQuery(invoice_number="7"),
    InvoiceQuery(currency="EUR"),
    InvoiceQuery(entity_tag="north"),
    InvoiceQuery(approval_status=ApprovalStatus.REQUESTED),
    InvoiceQuery(duplicate=True),
    InvoiceQuery(to_check=True),
    InvoiceQuery(duplicate=False),
    InvoiceQuery(batch=new_id()),
    InvoiceQuery(issued_after=DAY),
    InvoiceQuery(issued_before=DAY),
    InvoiceQuery(issued_after=DAY, issued_before=DAY + timedelta(days=31)),
)


@dataclass(frozen=True)
class Query:
    """`first` is the field that the answer is sorted by first."""

    collection: str
    where: Row
    first: str | None
    is_confirmed: bool


@dataclass
class Recorder(Fault):
    """Lets nothing fail, and writes the queries down."""

    queries: list[Query] = field(default_factory=list)

    def asked(self, collection: FaultyCollection, name: str, values: tuple[Any, ...], options: Row) -> None:
        where: Row | None = values[0] if name in _ONE | _MANY else None
        if name == "distinct":
            where = values[1]
        if name == "aggregate":
            where = values[0][0]["$match"]
        if where is not None and where != _UPGRADE:
            first = options.get("sort", [(None, 1)])[0][0]
            self.queries.append(Query(collection.name, where, first, collection.concern is not None))


def bounded(where: Row) -> dict[str, Any]:
    """The fields that the query bounds, and how; of alternatives, what all of them bound."""
    found: dict[str, Any] = {}
    for name, bound in where.items():
        if name == "$and":
            for part in bound:
                found |= bounded(part)
        elif name == "$or":
            parts = [bounded(part) for part in bound]
            found |= {field: bound for field, bound in parts[0].items() if all(field in part for part in parts)}
        elif isinstance(bound, dict) and "$elemMatch" in bound:
            found |= {f"{name}.{inner}": value for inner, value in bound["$elemMatch"].items()}
        elif not name.startswith("$") and not (isinstance(bound, dict) and _is_loose(bound)):
            found[name] = bound
    return found


def _is_loose(bound: Row) -> bool:
    return bool({"$ne", "$nin", "$regex"} & bound.keys()) or bound.get("$exists") is False


def serves(index: Index, query: Query) -> bool:
    fields = bounded(query.where)
    leading = index.directions[0][0]
    partial: Row = index.options.get("partialFilterExpression", {})
    within = all(
        name in fields and (fields[name] is not None if isinstance(value, dict) else fields[name] == value)
        for name, value in partial.items()
    )
    is_sorting = query.first == leading and not index.options.get("sparse")
    return index.collection == query.collection and within and (leading in fields or is_sorting)


@pytest.fixture
async def queries() -> list[Query]:
    """What the store asks for on a day of submitting and running, and on one of webhooks, with all that is tidied."""
    recorder = Recorder()
    client: Any = mock_client()
    clock, account = Clock(), Account(new_id(), Plan.FREE, NOON)
    service = await runs.opened(FaultyClient(client, recorder), clock, account, set())
    await runs.a_day(service)
    await service.recover()
    hooked = hooks.Service(FaultyClient(client, recorder), clock, account)
    endpoints = [await hooked.add_endpoint() for _ in range(3)]
    await hooks.a_day(hooked, endpoints)
    await hooked.recover()
    await _look_around(service.store, account)
    await _tidy(service, account)
    return recorder.queries


async def _look_around(store: Store, account: Account) -> None:
    for query in (InvoiceQuery(), InvoiceQuery(status=Status.FAILED, vendor="a", overdue=False), *EACH_FILTER):
        await store.invoices.page(account.id, query, 10, new_id())
    await store.events.page(account.id, EventQuery(), 10)
    await store.deliveries.page(account.id, DeliveryQuery(endpoint_id=new_id()), 10)
    await store.vendors.by_spend(account.id, 10)
    await store.keys.of_account(account.id)
    await store.keys.find_caller("hash", NOON)
    await store.keys.note_use([new_id()], DAY)
    await store.calls.page(account.id, ApiCallQuery(), 10, new_id())
    await store.vendors.spend(account.id, [new_id()])
    await store.vendors.page(account.id, 10)
    await store.invoices.approval_times(account.id, [new_id()])
    await store.queue.state()
    await store.events.failures(NOON, 10)
    await store.quotas.by_month(account.id, NOON)
    await _look_at_people(store, account)
    await _look_at_mails(store, account)
    await store.memory.lessons(account.id, ("x",), 10)
    await store.work.waiting(account.id, WorkQuery(), 10)
    await store.work.counts(account.id, NOON, 10)
    await store.endpoints.with_untold_owner(10)
    await store.queue.finished_among([new_id()])
    await store.quotas.used(account.id, NOON)
    await store.rate_windows.count(new_id(), NOON)


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
    await store.mails.due_for_care(NOON, 10)
    await store.mails.get(account.id, mail.id)
    await store.mails.page(account.id, MailQuery(MailState.HELD, HeldFor.SENDER, address.id), 10, new_id())
    await store.mails.of_account(account.id, 10)
    await store.mails.of_invoice(account.id, new_id())
    await store.mails.accounts_with_held(10, new_id())
    document = MailDocument(account.id, "0" * 64, mail.id, "1", new_id(), NOON)
    await store.mail_documents.claim(document, NOON)
    await store.mail_documents.forget(account.id, document.invoice_id)
    await store.automatic_mails.take(account.id, "x", NOON, [(timedelta(hours=1), 1)])
    await store.mailboxes.set_position("x", MailboxPosition(1, 1, NOON))
    await store.mailboxes.position("x")
    present = await store.mails.get(account.id, mail.id)
    assert present is not None
    doomed = await store.mails.save(replace(present, state=MailState.DOOMED))
    assert doomed is not None
    await store.mails.remove(doomed)


async def _tidy(service: runs.Service, account: Account) -> None:
    store = service.store
    await service.submit()
    await store.queue.mend()
    await store.lanes.mend()
    await store.upkeep.expire(NOON + timedelta(days=1))
    await store.sessions.remove_of_person(new_id())
    await store.memberships.remove_all(account.id)
    for record in await store.erasure.next_invoices(account.id, 100):
        await store.erasure.invoice(record, service.clock.now)
    await store.erasure.account(account.id)


async def test_every_query_is_served_by_an_index(queries: list[Query]) -> None:
    assert len(queries) > 500
    for query in queries:
        by_id = "_id" in bounded(query.where)
        assert by_id or any(serves(index, query) for index in INDEXES), query


async def test_each_filter_that_few_invoices_pass_has_an_index_in_the_order_of_the_list() -> None:
    for query in EACH_FILTER:
        where = invoice_filter(new_id(), query, new_id())
        mine = [index for index in INDEXES if serves(index, Query("invoices", where, None, True))]
        narrow = [index for index in mine if index.name not in ("list", "by_status", "by_source", "by_trigram")]
        if query.duplicate is False:
            assert narrow == []
        elif query.batch is not None:
            # A file has no more invoices than pages.
            assert [index.name for index in narrow] == ["of_file"]
        else:
            (index,) = narrow
            assert index.keys[-1] == "-_id"
            assert set(index.keys[:-1]) | set(index.options["partialFilterExpression"]) <= bounded(where).keys()


def test_a_quarter_is_asked_for_day_by_day_and_longer_spans_as_a_range() -> None:
    def issued(days: int) -> dict[str, Any]:
        query = InvoiceQuery(issued_after=DAY, issued_before=DAY + timedelta(days=days))
        asked: dict[str, Any] = invoice_filter(new_id(), query, None)["document.issued_at"]
        return asked

    assert issued(3) == {"$in": ["2026-05-18", "2026-05-19"]}
    assert len(issued(93)["$in"]) == 92
    assert issued(365) == {"$gt": "2026-05-17", "$lt": "2027-05-17"}
    assert issued(-1) == {"$in": []}


async def test_every_index_serves_a_query(queries: list[Query]) -> None:
    idle = {(index.collection, index.name) for index in INDEXES if not any(serves(index, query) for query in queries)}
    # These MongoDB goes by itself, where something is over or must be unique.
    unique = {(index.collection, index.name) for index in INDEXES if index.is_unique}
    assert idle - unique == {
        (name, "expiry")
        for name in (
            *("idempotency", "rate_windows", "sessions", "erased_ids", "approval_mails"),
            *("sign_in_links", "mail_sign_ins", "calls", "automatic_mails"),
        )
    }


async def test_what_is_shown_no_failover_takes_back(queries: list[Query]) -> None:
    confirmed = {query.collection for query in queries if query.is_confirmed}
    # Of deliveries only the next due one: nobody would look again at a lane that was given back too early.
    assert confirmed == {"invoices", "events", "deliveries", "audit", "mails", "mailboxes"}
    waited_for = [query for query in queries if "outbox_at" in query.where and "status" in query.where]
    assert waited_for
    assert all(query.is_confirmed for query in waited_for)


async def test_what_a_run_writes_is_decided_by_the_newest(queries: list[Query]) -> None:
    by_claim = [query for query in queries if query.collection == "invoices" and "attempt" in query.where]
    assert by_claim
    assert not [query for query in by_claim if query.is_confirmed]
