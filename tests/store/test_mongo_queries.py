"""Every query of the MongoDB store is served by an index, and every index serves a query.

MongoDB uses an index only where the query bounds its first field, or sorts by it, and is within what a partial one has.
Mongomock does not care, so the queries of a few days are written down and compared with the indexes."""

from datetime import timedelta
from typing import Any

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.query import DeliveryQuery, InvoiceQuery
from serve_app.store.mongo.engine.indexes import INDEXES
from serve_app.store.mongo.invoices.filters import delivery_filter, invoice_filter
from tests.store import test_mongo_faults as runs
from tests.store import test_mongo_hook_faults as hooks
from tests.store.mongo_faults import FaultyClient
from tests.store.mongo_queries import Query, Recorder, bounded, serves
from tests.store.store_calls import DAY, EACH_FILTER, look_around, tidy
from tests.support import NOON, Clock
from tests.support.mongomock import mock_client

_OF_NO_ACCOUNT = {
    *(
        "people",
        "sessions",
        "sign_in_links",
        "mail_sign_ins",
        "mailboxes",
        "paces",
        "upgrades",
        "canaries",
        "plans",
        "operator_keys",
    ),
    # A place is watched for one account, whichever that is.
    "watched_folders",
}


# Their ids begin with that of the account, or are it: that is what they are sharded by.
_BY_ID_OF_ACCOUNT = {
    *("accounts", "call_counts", "quotas", "idempotency", "approval_mails", "thresholds", "calls", "own_fields"),
    *("mail_documents", "mail_pictures", "automatic_mails", "retention_rules", "pins", "charts", "watched_files"),
    "ledger_connections",
}


# Counts of a key or of an endpoint, which are sharded by their own ids.
_BY_OTHER_IDS = {"rate_windows", "endpoint_hours"}


# Fields by which all accounts are looked through: by rounds for what is due, waits or is old, by what somebody shows to
# be recognised, and by an operator. None writes to one document.
_OVER_ALL = {
    # The second: what operators ask before they remove a plan.
    "accounts": [{"members.person_id"}, {"plan"}],
    "api_keys": [{"hash"}, {"_id", "last_used_on"}],
    "approval_mails": [{"day"}],
    "automatic_mails": [{"newest"}],
    "calls": [{"at"}],
    # What operators look at.
    "canary_runs": [{"at"}, {"canary_id"}],
    "comparisons": [{"at"}, {"canary_id"}, {"candidate"}],
    "deletions": [{"due_at"}],
    "doomed_files": [{"made_at"}],
    # The few endpoints; one of which only the id is known.
    "endpoints": [{"due_at"}, {"is_owner_untold"}, {"unsettled.at"}, {"_id"}],
    "erased_ids": [{"erased_at"}],
    # The second: what is removed after a while.
    "events": [{"_id", "created_at", "type"}, {"created_at", "type"}],
    "exports": [{"due_at", "is_done"}],
    "export_schedules": [{"due_at"}],
    # The second: the answer to the creation of an account that is deleted.
    "idempotency": [{"created_at"}, {"invoice_id"}],
    # `_id`: upgrades, and held calls, whose ids are asked for together.
    "invoices": [{"next_run_at", "seat"}, {"outbox_at"}, {"status"}, {"_id"}],
    "mail_addresses": [{"local"}],
    "mail_documents": [{"received_at"}],
    "mail_pictures": [{"newest"}],
    # How much the address of a mail has taken today; an upgrade.
    "mails": [{"address_id", "received_at"}, {"care_at"}, {"due_at"}, {"_id"}],
    "purchase_orders": [{"check_at"}],
    "quotas": [{"open.made_at"}],
    # An upgrade.
    "vendors": [{"_id"}],
}


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
    await look_around(service.store, account)
    await tidy(service, account)
    return recorder.queries


async def test_every_query_is_served_by_an_index(queries: list[Query]) -> None:
    assert len(queries) > 500
    for query in queries:
        by_id = "_id" in bounded(query.where)
        assert by_id or any(serves(index, query) for index in INDEXES), query


async def test_every_query_names_the_account(queries: list[Query]) -> None:
    """So collections can be sharded by account: only what is listed asks all shards."""
    for query in queries:
        fields = bounded(query.where)
        if query.collection in _OF_NO_ACCOUNT or "account_id" in fields:
            continue
        if (query.collection in _BY_ID_OF_ACCOUNT and "_id" in fields) or query.collection in _BY_OTHER_IDS:
            continue
        assert not query.is_single_write, query
        assert any(names <= fields.keys() for names in _OVER_ALL.get(query.collection, ())), query


def test_every_unique_index_begins_with_the_account() -> None:
    others = {(index.collection, index.name) for index in INDEXES if index.is_unique and index.keys[0] != "account_id"}
    # What somebody shows who is to be recognised, whichever account it leads to.
    assert others == {
        *(("api_keys", "hash"), ("operator_keys", "hash"), ("people", "address"), ("people", "identity")),
        ("mail_addresses", "local"),
    }


async def test_each_filter_that_few_invoices_pass_has_an_index_in_the_order_of_the_list() -> None:
    for query in EACH_FILTER:
        where = invoice_filter(new_id(), query, new_id())
        mine = [index for index in INDEXES if serves(index, Query("invoices", where, None, True))]
        narrow = [
            index
            for index in mine
            if index.name not in ("listed_by_review", "by_status", "by_source", "by_trigram", "of_export")
        ]
        narrow = [index for index in narrow if not index.name.startswith("in_order_of_")]
        if query.duplicate is False:
            assert narrow == []
        elif query.batch is not None:
            # A file has no more invoices than pages.
            assert [index.name for index in narrow] == ["of_file"]
        else:
            (index,) = narrow
            assert index.keys[-1] == "-_id"
            assert set(index.keys[:-1]) | set(index.options["partialFilterExpression"]) <= bounded(where).keys()


def test_the_deliveries_of_an_event_are_found_by_the_event() -> None:
    where = delivery_filter(new_id(), DeliveryQuery(event_id="evt_1"), new_id())
    mine = {index.name for index in INDEXES if serves(index, Query("deliveries", where, None, False))}
    assert "once" in mine


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
            *("idempotency", "rate_windows", "sessions", "erased_ids", "approval_mails", "comparisons", "canary_runs"),
            *("sign_in_links", "mail_sign_ins", "calls", "mail_pictures", "automatic_mails", "endpoint_hours"),
        )
    }


async def test_what_is_shown_no_failover_takes_back(queries: list[Query]) -> None:
    confirmed = {query.collection for query in queries if query.is_confirmed}
    # Of deliveries only the next due one, because nobody would look again at a lane that was given back too early, and
    # those that are archived; of rules only up to where documents are gone.
    shown = {"invoices", "events", "audit", "mails", "mailboxes", "vendors", "receipts", "exports"}
    assert confirmed == shown | {"deliveries", "retention_rules"}
    waited_for = [query for query in queries if "outbox_at" in query.where and "status" in query.where]
    assert waited_for
    assert all(query.is_confirmed for query in waited_for)


async def test_what_a_run_writes_is_decided_by_the_newest(queries: list[Query]) -> None:
    by_claim = [query for query in queries if query.collection == "invoices" and "attempt" in query.where]
    assert by_claim
    assert not [query for query in by_claim if query.is_confirmed]
