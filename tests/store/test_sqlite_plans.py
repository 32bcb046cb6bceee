"""Every list is answered from an index, and no filter that finds little looks at much: SQLite's plan says so, and the
steps that it takes are counted."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any
from uuid import UUID

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import ApprovalStatus, Confidence, Extraction, Invoice, Source, Status
from serve_app.domain.order_match import OrderMatchStatus
from serve_app.domain.query import DeliveryQuery, InvoiceQuery, Order, Position, ReviewFilter, SortKey
from serve_app.domain.record import InvoiceRecord, completed, new_record
from serve_app.domain.webhook import DeliveryState
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.opening import connect
from serve_app.store.sqlite.engine.rows import insert_invoice
from serve_app.store.sqlite.invoices.filters import delivery_conditions, newest
from serve_app.store.sqlite.invoices.pages import invoice_page, sorted_ids
from serve_app.store.sqlite.invoices.text_search import trigrams_if_few_have_them
from serve_app.store.sqlite.orders.purchase_orders import _NUMBERED, _OF_VENDOR
from serve_app.store.sqlite.queue.queue import _OLDEST, _OLDEST_RUNNING, _SHARES
from serve_app.store.sqlite.store import open_sqlite
from serve_app.store.sqlite.vendors.vendors import _IDENTIFIED, _IDENTIFIERS, _PRINTED, _SPEND
from tests.support import NOON, Clock, claim_next, make_invoice, queue_new

ACCOUNT = Account(new_id(), Plan.UNLIMITED, NOON)
# The index of the primary key.
BY_ID = "sqlite_autoindex_invoices_1"
DAY = date(2026, 1, 1)
VALUES: dict[str, list[object]] = {
    "status": [Status.COMPLETE, Status.FAILED],
    "source": [Source.EMAIL, Source.API],
    "created_after": [NOON],
    "created_before": [NOON],
    "vendor": ["acme"],
    "paid": [True],
    "overdue": [True, False],
    "min_amount": [Decimal(1)],
    "max_amount": [Decimal(1)],
    "due_after": [DAY],
    "due_before": [DAY],
    "vendor_id": [UUID(int=1)],
    "invoice_number": ["none"],
    "currency": ["USD"],
    "entity_tag": ["none"],
    "approval_status": [ApprovalStatus.APPROVED],
    "duplicate": [True, False],
    "batch": [UUID(int=2)],
    "issued_after": [DAY + timedelta(days=40)],
    "issued_before": [DAY],
    "number": ["none"],
    "to_check": [True],
    "has_alerts": [True],
    "level": [Confidence.LOW, Confidence.HIGH],
    "models": ["none"],
    "order_match": [OrderMatchStatus.DIFFERS],
    "order_id": [UUID(int=4)],
    "custom": ["plate:none"],
    "ids": [(UUID(int=3),)],
    "review": [ReviewFilter.REJECTED, ReviewFilter.CONFIRMED, ReviewFilter.NOT_REJECTED],
}
# Tables or lists of ids find these.
BY_KEY = {"ids", "order_id", "custom"}
SINGLE = [InvoiceQuery(**{name: value}) for name, values in VALUES.items() for value in values]  # type: ignore[arg-type]
PAIRS = [
    InvoiceQuery(**{first: VALUES[first][0], second: VALUES[second][0]})  # type: ignore[arg-type]
    for first, second in combinations(VALUES, 2)
]
# Those of which one alone may find little among many.
FLAT = (
    "ids",
    "vendor_id",
    "invoice_number",
    "currency",
    "entity_tag",
    "approval_status",
    "batch",
    "level",
    "models",
    "order_match",
    "order_id",
    "custom",
    "review",
)
# As many match however many invoices there are.
PARTS = [InvoiceQuery(vendor="rarely seen"), InvoiceQuery(number="xq-77"), InvoiceQuery(vendor="nobody's")]
FLAT_QUERIES = [
    *PARTS,
    *(InvoiceQuery(**{name: VALUES[name][0]}) for name in FLAT),  # type: ignore[arg-type]
    InvoiceQuery(currency="EUR"),
    InvoiceQuery(status=Status.FAILED),
    InvoiceQuery(duplicate=True),
    InvoiceQuery(duplicate=False),
    InvoiceQuery(issued_after=DAY, issued_before=DAY + timedelta(days=3)),
    InvoiceQuery(issued_after=DAY + timedelta(days=40)),
    InvoiceQuery(issued_before=DAY),
    InvoiceQuery(issued_before=DAY + timedelta(days=2)),
]


def named(query: InvoiceQuery) -> str:
    default = InvoiceQuery()
    asked = (field.name for field in fields(query) if getattr(query, field.name) != getattr(default, field.name))
    return "-".join(f"{name}={getattr(query, name)}" for name in asked)


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """A database with the store's tables, and an account in it."""
    path: Path = tmp_path_factory.mktemp("plans") / "invoices.db"
    open_sqlite(path, slots=8, clock=Clock())
    connection = sqlite3.connect(path, isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.execute("INSERT INTO accounts (id, plan, created_at) VALUES (?, 'free', 0)", (str(ACCOUNT.id),))
    yield connection
    connection.close()


def plan_of(connection: sqlite3.Connection, query: InvoiceQuery, after: UUID | None) -> list[str]:
    statement, values = invoice_page(ACCOUNT.id, query, 26, after)
    return [str(row["detail"]) for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]


def test_a_list_reads_no_row_but_through_an_index(connection: sqlite3.Connection) -> None:
    wrong = {}
    for query in (InvoiceQuery(), *SINGLE, *PAIRS):
        for after in (None, new_id()):
            plan = plan_of(connection, query, after)
            if BY_KEY & {field.name for field in fields(query) if getattr(query, field.name) is not None}:
                # Each is found by its key.
                assert {line for line in plan if " invoices" in line} == {f"SEARCH invoices USING INDEX {BY_ID} (id=?)"}
                continue
            used = [line for line in plan if "INDEX invoices_" in line]
            bounded = [line for line in used if "(account_id=?" in line or "(file_key=?" in line]
            if not used or used != bounded or any(line.startswith("SCAN invoices") for line in plan):
                wrong[named(query)] = plan
    assert wrong == {}


@pytest.mark.parametrize("key", SortKey)
@pytest.mark.parametrize("value", ["7", None])
def test_an_order_is_read_from_its_index_without_sorting(
    connection: sqlite3.Connection, key: SortKey, value: str | None
) -> None:
    for descending in (True, False):
        for after in (None, Position(value, new_id())):
            for have_value in (True,) if key is SortKey.UPDATED else (True, False):
                order = Order(key, descending=descending)
                statement, values = sorted_ids(ACCOUNT.id, InvoiceQuery(), order, 26, after, have_value=have_value)
                plan = [row["detail"] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
                assert len(plan) == 1, plan
                assert "COVERING INDEX invoices_in_order_of" in plan[0]
                assert "(account_id=?" in plan[0]


@pytest.mark.parametrize("query", SINGLE, ids=named)
def test_one_filter_alone_is_answered_without_reading_rows_that_are_not_on_the_page(
    connection: sqlite3.Connection, query: InvoiceQuery
) -> None:
    plan = plan_of(connection, query, None)
    # A file has no more invoices than pages, and few ids are asked for at once: those are read and sorted.
    if query.batch is None and query.ids is None and query.order_id is None and query.custom is None:
        assert any("COVERING INDEX invoices_" in line for line in plan), plan
        assert not any("USING INDEX invoices_" in line for line in plan), plan


def rows_of(connection: sqlite3.Connection, query: InvoiceQuery) -> list[sqlite3.Row]:
    """What a page of the query has, found as the store finds it."""
    few = trigrams_if_few_have_them(connection, query)
    return connection.execute(*invoice_page(ACCOUNT.id, query, 26, None, few)).fetchall()


def instructions(connection: sqlite3.Connection, run: Callable[[], object]) -> int:
    """How many instructions SQLite carries out for what is run."""
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    connection.set_progress_handler(count, 1)
    try:
        run()
    finally:
        connection.set_progress_handler(None, 0)
    return steps


def steps_of(connection: sqlite3.Connection, query: InvoiceQuery) -> int:
    return instructions(connection, lambda: rows_of(connection, query))


def queue_many(connection: sqlite3.Connection, count: int) -> None:
    connection.execute("BEGIN")
    for _ in range(count):
        insert_invoice(connection, new_record(make_invoice(NOON), ACCOUNT.id))
    connection.execute("COMMIT")


def records(first: int, count: int) -> Iterator[InvoiceRecord]:
    """Complete invoices, issued on thirty days; the newest were issued last."""
    for number in range(first, first + count):
        read = Extraction(
            vendor_name="Rarely Seen Ltd" if number == 1 else f"Vendor {number % 7}",
            invoice_number="XQ-778" if number == 2 else f"INV-{number}",
            currency="EUR",
            amount=Decimal(number),
            issued_at=DAY + timedelta(days=min(number // 20, 30)),
        )
        invoice: Invoice = completed(make_invoice(NOON + timedelta(seconds=number)), read, NOON)
        yield new_record(invoice.model_copy(update={"vendor_id": new_id()}), ACCOUNT.id)


def fill(connection: sqlite3.Connection, first: int, count: int) -> None:
    connection.execute("BEGIN")
    for record in records(first, count):
        insert_invoice(connection, record)
    connection.execute("COMMIT")


def test_filters_take_no_more_steps_for_more_invoices(connection: sqlite3.Connection) -> None:
    fill(connection, 0, 700)
    before = {named(query): steps_of(connection, query) for query in FLAT_QUERIES}
    fill(connection, 700, 6300)
    assert [len(rows_of(connection, query)) for query in PARTS] == [1, 1, 0]
    grown: dict[str, Any] = {}
    for query in FLAT_QUERIES:
        name, steps = named(query), steps_of(connection, query)
        if steps > before[name] * 1.3 + 50:
            grown[name] = (before[name], steps)
    assert grown == {}


def test_the_backlog_takes_no_more_steps_for_more_invoices_whether_they_wait_or_have_ended(
    connection: sqlite3.Connection,
) -> None:
    def steps() -> int:
        asked = (_SHARES, _OLDEST, _OLDEST_RUNNING)
        return instructions(connection, lambda: [connection.execute(each).fetchall() for each in asked])

    queue_many(connection, 10)
    fill(connection, 10_000, 100)
    before = steps()
    queue_many(connection, 3000)
    fill(connection, 20_000, 3000)
    # A step more or less is a page of the file more or less.
    assert steps() <= before + 5
    (plan,) = connection.execute(f"EXPLAIN QUERY PLAN {_OLDEST}")
    assert "COVERING INDEX invoices_queued" in plan["detail"]
    (plan,) = connection.execute(f"EXPLAIN QUERY PLAN {_OLDEST_RUNNING}")
    assert "INDEX invoices_processing" in plan["detail"]
    (share,) = connection.execute(_SHARES).fetchall()
    assert (share["status"], share["documents"]) == ("queued", 3010)
    connection.execute("DELETE FROM invoices WHERE status = 'queued'")
    assert connection.execute(_SHARES).fetchall() == []


async def test_a_document_takes_no_more_steps_for_more_invoices_of_its_account_and_vendor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Counter[str]()

    def counted(path: Path, busy_seconds: float) -> sqlite3.Connection:
        made = connect(path, busy_seconds)
        made.set_progress_handler(lambda: steps.update(taken=1), 1)
        return made

    async def taken() -> int:
        before = steps["taken"]
        await queue_new(store, ACCOUNT.id)
        read = Extraction(vendor_name="Vendor 1", invoice_number=str(new_id()), amount=Decimal(1), issued_at=DAY)
        saved = await store.queue.save_result(await claim_next(store), read, NOON)
        assert saved is not None
        assert saved.vendor_id is not None
        return steps["taken"] - before

    monkeypatch.setattr("serve_app.store.sqlite.engine.connection.connect", counted)
    store = open_sqlite(tmp_path / "invoices.db", slots=8, clock=Clock())
    await store.accounts.add(ACCOUNT)
    other = connect(tmp_path / "invoices.db", 30)
    fill(other, 0, 100)
    few = [await taken() for _ in range(5)]
    fill(other, 100, 3000)
    many = [await taken() for _ in range(5)]
    other.close()
    assert median(many) <= median(few) * 1.2


@pytest.mark.parametrize("state", [None, DeliveryState.ABANDONED])
@pytest.mark.parametrize("more", [[], ["id < :after"]])
def test_the_deliveries_of_an_event_are_found_by_the_event(
    connection: sqlite3.Connection, state: DeliveryState | None, more: list[str]
) -> None:
    conditions, values = delivery_conditions(DeliveryQuery(event_id="evt_1", state=state))
    values |= {"account": str(ACCOUNT.id), "limit": 26, "after": str(new_id())}
    statement = newest("deliveries", [*conditions, *more])
    plan = [str(row["detail"]) for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
    assert any("INDEX sqlite_autoindex_deliveries_2 (event_id=?)" in step for step in plan), plan
    assert not any("(account_id=?" in step for step in plan), plan


def test_a_vendors_spend_is_read_from_an_index_alone(connection: sqlite3.Connection) -> None:
    values = {"account": str(ACCOUNT.id), "vendors": "[]"}
    plan = [row["detail"] for row in connection.execute(f"EXPLAIN QUERY PLAN {_SPEND}", values)]
    assert any(
        "invoices USING COVERING INDEX invoices_of_vendor (account_id=? AND vendor_key=?)" in step for step in plan
    )


def test_what_a_vendors_invoices_print_is_found_in_indexes(connection: sqlite3.Connection) -> None:
    values = {"account": str(ACCOUNT.id), "vendors": "[]", "value": "7", "besides": "8"}
    found = {
        "invoices_identified (account_id=? AND vendor_id=?)": _IDENTIFIERS,
        **{
            f"{index} (account_id=? AND <expr>=?)": _IDENTIFIED.format(printed=printed, index=index)
            for printed, index in _PRINTED.values()
        },
    }
    for step, statement in found.items():
        plan = [row["detail"] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
        assert any(step in each for each in plan), plan


@pytest.mark.parametrize(
    ("statement", "index"),
    [
        (_NUMBERED, "sqlite_autoindex_purchase_orders_2 (account_id=? AND number_key=?)"),
        (_OF_VENDOR, "purchase_orders_of_vendor (account_id=? AND vendor_key=?)"),
    ],
)
def test_what_an_invoice_may_bill_is_found_by_its_key(
    connection: sqlite3.Connection, statement: str, index: str
) -> None:
    values = {"account": str(ACCOUNT.id), "keys": "[]", "limit": 9}
    plan = [row["detail"] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
    assert any(index in step for step in plan), plan
