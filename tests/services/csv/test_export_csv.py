"""Exported CSV is read back as it was, whatever documents say, and no spreadsheet runs any of it."""

import csv
import io
from collections.abc import AsyncIterator
from datetime import date
from decimal import Decimal
from typing import cast
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Confidence, CustomValue, Invoice, LineItem, Status
from serve_app.domain.order_match import MatchedLine, MatchedOrder, OrderMatch, OrderMatchStatus
from serve_app.domain.own_field import OwnField, OwnFieldScope, OwnFieldType
from serve_app.domain.query import InvoiceQuery, ListPage
from serve_app.services.csv.cells import cell, text_cell
from serve_app.services.csv.columns import invoice_header, invoice_values, line_item_header, line_item_values
from serve_app.services.csv.export import BYTE_ORDER_MARK, CsvExport, CsvLayout
from serve_app.store.base import Invoices, Store
from tests.services.exports.bills import coded
from tests.store.test_reviews import say, saying
from tests.support import NOON, make_invoice, queue_new
from tests.support.mails import READ, complete_invoice

ITEMS = [
    LineItem(
        description='Cable, 3 m\n"blue"',
        quantity=Decimal("2"),
        unit_price=Decimal("-0.10"),
        confidence=Confidence.HIGH,
    ),
    LineItem(description=None, quantity=None, unit_price=Decimal("1E+2"), confidence=None),
]
HOSTILE = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "\tx",
    "  =1",
    "\u00a0=1",
    "\ufeff=1",
    "\u200b=1",
    "\x00=1",
    "＝1",
    "＋1",
    "－1",
    "＠SUM",
    "\u22121",
    "\u202e=1",
    "\ud800=1",
]


async def rows_of(parts: AsyncIterator[str]) -> list[dict[str, str]]:
    """What a program reads from the export."""
    text = "".join([part async for part in parts])
    assert text.endswith("\r\n")
    lines = text.split("\r\n")
    assert not any("\n" in line or "\r" in line for line in lines)
    return list(csv.DictReader(io.StringIO(text.removeprefix(BYTE_ORDER_MARK), newline=""), strict=True))


class Endless:
    """Pages of made-up invoices; keeps how many were asked for at a time."""

    def __init__(self, count: int) -> None:
        self.left = count
        self.limits: set[int] = set()
        self.afters: list[UUID | None] = []

    async def page(
        self, account_id: UUID, query: InvoiceQuery, limit: int, after: UUID | None = None
    ) -> ListPage[Invoice]:
        self.limits.add(limit)
        self.afters.append(after)
        now, self.left = min(limit, self.left), max(self.left - limit, 0)
        return ListPage(tuple(make_invoice() for _ in range(now)), self.left > 0)


async def test_a_row_has_the_values_of_its_invoice(store: Store, account: Account) -> None:
    read = READ.model_copy(update={"line_items": ITEMS, "quality_score": 0.875, "auto_verified": True})
    invoice = await complete_invoice(store, account.id, read)
    (row,) = await rows_of(CsvExport(store.invoices).export(account.id, InvoiceQuery()))
    assert {name: value for name, value in row.items() if value} == {
        "id": str(invoice.id),
        "status": "complete",
        "source": "api",
        "created_at": "2026-05-17T12:00:07.123456Z",
        "updated_at": "2026-05-17T12:00:07.123456Z",
        "file_name": "a.pdf",
        "vendor_name": "ACME GmbH",
        "invoice_number": "2026-17",
        "amount": "1190.5",
        "currency": "EUR",
        "issued_at": "2026-05-02",
        "due_at": "2026-06-01",
        "tax": "190",
        "line_item_count": "2",
        "amount_confidence": "high",
        "auto_verified": "true",
        "quality_score": "0.875",
        "paid": "false",
        "review_status": "open",
        **{
            f"{field}_source": "models"
            for field in ("vendor", "invoice_number", "amount", "currency", "issued_at", "due_at", "tax", "line_items")
        },
        "net": "1000.5",
    }


async def test_what_a_person_corrected_is_exported(store: Store, account: Account) -> None:
    invoice = await complete_invoice(store, account.id)
    record = await store.invoices.find_record(account.id, invoice.id)
    assert record is not None
    await say(store, record, record.review.changed(saying(amount="7.25", vendor="Corrected Ltd")))
    (row,) = await rows_of(CsvExport(store.invoices).export(account.id, InvoiceQuery()))
    assert (row["amount"], row["vendor_name"]) == ("7.25", "Corrected Ltd")
    # The models' word was about another amount.
    assert (row["amount_source"], row["amount_confidence"], row["currency_source"]) == ("person", "", "models")
    assert row["corrections"] == (
        "amount: ann@example.com entered this value on 2026-05-17. The models read: 1190.5; "
        "vendor: ann@example.com entered this value on 2026-05-17. The models read: ACME GmbH"
    )


async def test_lines_that_a_person_entered_are_exported_as_such(store: Store, account: Account) -> None:
    invoice = await complete_invoice(store, account.id, READ.model_copy(update={"line_items": ITEMS}))
    record = await store.invoices.find_record(account.id, invoice.id)
    assert record is not None
    entered = {"description": "Nut", "quantity": "2", "unit_price": "3", "total": None, "tax_rate": None}
    await say(store, record, record.review.changed(saying(line_items=[entered])))
    (row,) = await rows_of(CsvExport(store.invoices).export(account.id, InvoiceQuery(), CsvLayout.LINE_ITEMS))
    assert (row["description"], row["confidence"], row["source"]) == ("Nut", "", "person")


def test_what_it_is_booked_on_and_which_orders_it_bills() -> None:
    invoice = coded((1, "100.00", {"account": "4930", "region": "North"}), (2, "10.00", {"account": "4940"}))
    orders = [MatchedOrder(id=invoice.id, number="PO-9")]
    line = MatchedLine(line=2, order_id=invoice.id, order_line=3, quantity=Decimal(1), amount=Decimal(10))
    match = OrderMatch(status=OrderMatchStatus.DIFFERS, orders=orders, lines=[line])
    own = {"plate": CustomValue(value="B-XY 12"), "day": CustomValue(), "size": CustomValue(value="large")}
    invoice = invoice.model_copy(update={"order_match": match, "custom": own})
    (values,) = invoice_values(invoice)
    whole = dict(zip(invoice_header(), map(cell, values), strict=True))
    assert {name: whole[name] for name in list(whole)[-10:]} == {
        "coding_status": "confirmed",
        "auto_coded": "false",
        "account": "4930; 4940",
        "cost_center": "",
        "tax_code": "",
        "project": "",
        "other_codes": "region: North",
        "order_match": "differs",
        "order_numbers": "PO-9",
        "custom": "plate: B-XY 12; size: large",
    }
    lines = [dict(zip(line_item_header(), map(cell, row), strict=True)) for row in line_item_values(invoice)]
    columns = ("account", "other_codes", "order_number", "order_line")
    assert [[row[name] for name in columns] for row in lines] == [
        ["4930", "region: North", "", ""],
        ["4940", "", "PO-9", "3"],
    ]


async def test_each_own_field_has_a_column_at_the_end(store: Store, account: Account) -> None:
    for name, type in (("day", OwnFieldType.DATE), ("meter", OwnFieldType.NUMBER), ("lot", OwnFieldType.TEXT)):
        await store.own_fields.put(account.id, OwnField(name=name, label=name, type=type))
    own = {"day": CustomValue(value="2026-03-01"), "meter": CustomValue(value="-7"), "lot": CustomValue(value="-7")}
    lot = OwnField(name="batch", label="Batch", type=OwnFieldType.TEXT, scope=OwnFieldScope.LINE)
    await store.own_fields.put(account.id, lot)
    line = LineItem(description="Oil", quantity=None, unit_price=None, confidence=None)
    lines = [line.model_copy(update={"custom": {"batch": CustomValue(value="=A1")}}), line]
    await complete_invoice(store, account.id, READ.model_copy(update={"custom": own, "line_items": lines}))
    export = CsvExport(store.invoices, store.own_fields)
    rows = await rows_of(export.export(account.id, InvoiceQuery(), CsvLayout.LINE_ITEMS))
    assert [list(row.items())[-1] for row in rows] == [("line.custom.batch", "'=A1"), ("line.custom.batch", "")]
    (row,) = await rows_of(export.export(account.id, InvoiceQuery()))
    assert list(row.items())[-3:] == [("custom.day", "2026-03-01"), ("custom.lot", "'-7"), ("custom.meter", "-7")]


async def test_line_items_have_a_row_each(store: Store, account: Account) -> None:
    await complete_invoice(store, account.id)
    invoice = await complete_invoice(store, account.id, READ.model_copy(update={"line_items": ITEMS}))
    rows = await rows_of(CsvExport(store.invoices).export(account.id, InvoiceQuery(), CsvLayout.LINE_ITEMS))
    assert [row["id"] for row in rows] == [str(invoice.id)] * 2
    names = ("line", "description", "quantity", "unit_price", "confidence")
    assert [[row[name] for name in names] for row in rows] == [
        ["1", 'Cable, 3 m "blue"', "2", "-0.10", "high"],
        ["2", "", "", "100", ""],
    ]


async def test_only_what_was_asked_for_is_exported(store: Store, account: Account) -> None:
    invoice = await complete_invoice(store, account.id)
    await queue_new(store, account.id)
    rows = await rows_of(CsvExport(store.invoices).export(account.id, InvoiceQuery(status=Status.COMPLETE)))
    assert [row["id"] for row in rows] == [str(invoice.id)]
    assert await rows_of(CsvExport(store.invoices).export(new_id(), InvoiceQuery())) == []


async def test_every_invoice_is_there_once_newest_first(store: Store, account: Account) -> None:
    made = [str((await queue_new(store, account.id)).invoice.id) for _ in range(205)]
    rows = await rows_of(CsvExport(store.invoices).export(account.id, InvoiceQuery()))
    assert [row["id"] for row in rows] == made[::-1]


async def test_the_header_comes_before_any_invoice_is_read_with_a_mark_where_wanted() -> None:
    invoices = Endless(1)
    for wanted in (True, False):
        parts = CsvExport(cast(Invoices, invoices)).export(new_id(), InvoiceQuery(), byte_order_mark=wanted)
        first = await anext(parts)
        assert first.startswith(BYTE_ORDER_MARK) is wanted
        assert first.removeprefix(BYTE_ORDER_MARK).startswith("id,status,")
    assert invoices.afters == []


async def test_parts_stay_small_however_many_invoices_there_are() -> None:
    invoices = Endless(3000)
    lengths = [len(part) async for part in CsvExport(cast(Invoices, invoices)).export(new_id(), InvoiceQuery())]
    assert invoices.limits == {100}
    assert len(set(invoices.afters)) == 30
    assert max(lengths) < 70_000
    assert len(lengths) > 5


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_spreadsheet_would_run_is_made_text(text: str) -> None:
    assert text_cell(text).startswith("'")


@pytest.mark.parametrize("text", ["a;=1+1", 'a;"=1+1', "a; -1", "a;;+1", "a;\n@b", ';""=1;'])
def test_nothing_runs_where_semicolons_part_cells(text: str) -> None:
    for part in text_cell(text).split(";")[1:]:
        assert not part.strip(' "').startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize("text", ["ACME", "a=b", "1-2", "a@b.de", "'quoted'", "株式会社", "a; b", "Müller & Co."])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert text_cell(text) == text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (True, "true"),
        (7, "7"),
        (Decimal("-1234567890123456789.10"), "-1234567890123456789.10"),
        (Decimal("1E+3"), "1000"),
        (Decimal("1E-7"), "0.0000001"),
        (date(2026, 5, 2), "2026-05-02"),
        (NOON, "2026-05-17T12:00:07.123456Z"),
    ],
)
def test_our_own_values_are_plain(value: Decimal | date | int | None, shown: str) -> None:
    assert cell(value) == shown
