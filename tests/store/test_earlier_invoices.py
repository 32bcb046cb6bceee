"""What a new invoice of a supplier is compared with."""

from datetime import date
from decimal import Decimal
from operator import attrgetter

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import CheckKind, CheckSeverity, Details, SupplierCheck
from serve_app.store.base import Store
from tests.store.test_rejected import reject
from tests.store.test_reviews import READ, read_new

_ALIKE = ("id", "created_at", "source", "vendor_name", "invoice_number", "amount", "tax", "currency", "issued_at")
_IDENTIFIERS = attrgetter("details.iban", "details.vendor_tax_id")


async def test_earlier_invoices_have_the_values_of_the_invoices(store: Store, account: Account) -> None:
    check = SupplierCheck(kind=CheckKind.LOOKALIKE, severity=CheckSeverity.ALERT, text="-", since=None, evidence=[])
    details = Details(iban="DE88200800000970375700", vendor_tax_id="DE136695976", payment_terms="30 days")
    values = {"tax": Decimal("19.00"), "issued_at": date(2026, 4, 30), "details": details, "checks": [check]}
    full = (await read_new(store, account, READ.model_copy(update=values))).invoice
    bare = (await read_new(store, account, READ.model_copy(update={"invoice_number": None, "amount": None}))).invoice
    assert full.vendor_id is not None

    found = await store.invoices.earlier(account.id, full.vendor_id, 10)

    for name in _ALIKE:
        assert [getattr(each, name) for each in found] == [getattr(bare, name), getattr(full, name)], name
    assert [each.batch for each in found] == [None, None]
    assert _IDENTIFIERS(found[1]) == _IDENTIFIERS(full)
    assert [(each.kind, each.confirmed_at) for each in found[1].checks] == [(CheckKind.LOOKALIKE, None)]


async def test_earlier_invoices_are_the_newest_that_nobody_rejected(store: Store, account: Account) -> None:
    numbers = [READ.model_copy(update={"invoice_number": f"B-{number}"}) for number in range(4)]
    records = [await read_new(store, account, each) for each in numbers]
    vendor_id = records[0].invoice.vendor_id
    assert vendor_id is not None
    await read_new(store, account, READ.model_copy(update={"vendor_name": "Bolt GmbH"}))
    await reject(store, records[2])

    assert [each.invoice_number for each in await store.invoices.earlier(account.id, vendor_id, 2)] == ["B-3", "B-1"]
    assert await store.invoices.earlier(new_id(), vendor_id, 2) == []
