"""What is unusual about an invoice beside the supplier's earlier ones."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from serve_app.domain.embedded_data import EInvoiceCheck, EInvoiceDifference, EInvoiceField
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import (
    CheckKind,
    CheckSeverity,
    Details,
    Extraction,
    FileInfo,
    Invoice,
    InvoiceReview,
    ReviewStatus,
    Source,
    Status,
)
from serve_app.domain.supplier_checks import supplier_checks
from tests.support import NOON

TODAY = date(2026, 6, 1)
IBAN, OTHER = "DE88200800000970375700", "DE89370400440532013000"
TAX, OTHER_TAX = "DE136695976", "DE811907980"


def read(**values: Any) -> Extraction:
    details = {name: values.pop(name) for name in ("iban", "vendor_tax_id") if name in values}
    given = {"vendor_name": "Akme GmbH", "invoice_number": "17", "amount": Decimal(100), "currency": "EUR"}
    return Extraction(**{**given, "issued_at": date(2026, 5, 20), "details": Details(**details), **values})


def earlier(number: int, review: ReviewStatus = ReviewStatus.OPEN, **values: Any) -> Invoice:
    """An invoice that came in `number` days before the others."""
    moment = datetime(2026, 5, 1, tzinfo=UTC) - timedelta(days=number)
    known: dict[str, Any] = {"issued_at": moment.date(), "iban": IBAN, "vendor_tax_id": TAX}
    extraction = read(**{**known, "invoice_number": f"2026-{1000 + 37 * number}", **values})
    return Invoice(
        **{name: getattr(extraction, name) for name in Extraction.model_fields},
        id=new_id(),
        status=Status.COMPLETE,
        source=Source.API,
        created_at=moment,
        updated_at=moment,
        file=FileInfo(name=None, mime_type=None, size_bytes=None),
        review=InvoiceReview(status=review),
    )


def kinds(extraction: Extraction, invoices: Sequence[Invoice] = (), today: date = TODAY) -> list[CheckKind]:
    return [check.kind for check in supplier_checks(extraction, invoices, today)]


USUAL = [earlier(number) for number in range(0, 8)]


def test_usual_invoice_has_no_checks() -> None:
    assert kinds(read(iban=IBAN, vendor_tax_id=TAX), USUAL) == []


def test_first_invoice_of_a_supplier_has_no_checks() -> None:
    assert kinds(read(iban=OTHER, vendor_tax_id=OTHER_TAX)) == []


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"iban": OTHER}, CheckKind.BANK_ACCOUNT_CHANGED),
        ({"vendor_tax_id": OTHER_TAX}, CheckKind.TAX_NUMBER_CHANGED),
        ({"invoice_number": "2026-1037", "amount": Decimal(101)}, CheckKind.NUMBER_REUSED),
        ({"invoice_number": "2026-1O37", "issued_at": date(2026, 4, 30)}, CheckKind.NEAR_DUPLICATE),
        ({"iban": "LT121000011101001000"}, CheckKind.BANK_ACCOUNT_CHANGED),
        ({"amount": Decimal("500.01")}, CheckKind.AMOUNT_UNUSUAL),
        ({"issued_at": date(2026, 6, 3)}, CheckKind.DATE_UNUSUAL),
        ({"issued_at": date(2024, 5, 1)}, CheckKind.DATE_UNUSUAL),
    ],
)
def test_what_is_unusual(values: dict[str, Any], kind: CheckKind) -> None:
    assert kind in kinds(read(**values), USUAL)


@pytest.mark.parametrize(
    "values",
    [
        {"iban": None, "vendor_tax_id": None},
        {"amount": Decimal(500)},
        {"amount": Decimal(5000), "currency": "USD"},
        {"issued_at": date(2026, 6, 2)},
        {"issued_at": None, "amount": None, "invoice_number": None},
        {"invoice_number": "2026-1037"},
        {"invoice_number": "9999", "issued_at": date(2026, 4, 30)},
    ],
)
def test_what_is_not(values: dict[str, Any]) -> None:
    assert kinds(read(**values), USUAL) == []


@pytest.mark.parametrize(
    ("values", "kind"),
    [({"iban": OTHER}, CheckKind.BANK_ACCOUNT_CHANGED), ({"vendor_tax_id": OTHER_TAX}, CheckKind.TAX_NUMBER_CHANGED)],
)
def test_what_is_new_stays_new_until_a_person_confirms_the_check(values: dict[str, Any], kind: CheckKind) -> None:
    checks = supplier_checks(read(**values), USUAL, TODAY)
    first = earlier(0, ReviewStatus.CONFIRMED, checks=checks, **values)

    assert kinds(read(**values), [first, *USUAL]) == [kind]
    confirmed = [check.model_copy(update={"confirmed_by": "clerk", "confirmed_at": NOON}) for check in checks]
    assert kinds(read(**values), [first.model_copy(update={"checks": confirmed}), *USUAL]) == []


def test_the_check_says_since_when_and_names_invoices() -> None:
    (check,) = supplier_checks(read(iban=OTHER), USUAL, TODAY)

    assert check.severity is CheckSeverity.ALERT
    assert check.text == "The bank account DE89…3000 is new for this supplier; the last one was DE88…5700."
    assert check.since == date(2026, 4, 24)
    assert check.evidence == [each.id for each in USUAL[:5]]


REGULAR = [
    earlier(number, invoice_number=f"R-2026-{90 - number}", amount=Decimal(119), tax=Decimal(19))
    for number in range(0, 49, 7)
]


@pytest.mark.parametrize(
    ("number", "found"),
    [
        ("R-2026-104", []),
        ("R-2026-31", [CheckKind.NUMBER_UNUSUAL]),
        ("2026/91", [CheckKind.NUMBER_UNUSUAL]),
        ("R-2026-9I", [CheckKind.NUMBER_UNUSUAL]),
        (None, []),
    ],
)
def test_number_that_does_not_continue_regular_ones(number: str | None, found: list[CheckKind]) -> None:
    assert kinds(read(invoice_number=number), REGULAR) == found
    assert kinds(read(invoice_number=number), REGULAR[:5]) == []
    assert kinds(read(invoice_number=number), [earlier(0, invoice_number="R-2026-7"), *REGULAR]) == []


def test_numbers_begin_again_with_the_year() -> None:
    assert kinds(read(invoice_number="R-2027-1", issued_at=date(2027, 1, 5)), REGULAR, date(2027, 1, 6)) == []


@pytest.mark.parametrize(
    ("amount", "tax", "found"),
    [
        ("238", "38", []),
        ("238", "38.02", []),
        ("214", "14", [CheckKind.TAX_UNUSUAL]),
        ("200", "0", [CheckKind.TAX_UNUSUAL]),
        ("1.20", "0.20", []),
        ("238", None, []),
    ],
)
def test_rate_of_tax_that_never_varied(amount: str, tax: str | None, found: list[CheckKind]) -> None:
    values: dict[str, Any] = {"amount": Decimal(amount), "tax": tax and Decimal(tax), "invoice_number": "R-2026-104"}
    assert kinds(read(**values), REGULAR) == found
    assert kinds(read(**values), [earlier(1, amount=Decimal(107), tax=Decimal(7)), *USUAL]) == []


def test_account_in_another_country_than_the_tax_number() -> None:
    found = supplier_checks(read(iban="LT121000011101001000", vendor_tax_id=TAX), [], TODAY)

    assert [(check.kind, check.severity) for check in found] == [(CheckKind.ACCOUNT_ABROAD, CheckSeverity.NOTICE)]
    assert kinds(read(iban="GR1601101250000000012300695", vendor_tax_id="EL094259216")) == []


def test_document_that_contradicts_itself() -> None:
    difference = EInvoiceDifference(field=EInvoiceField.IBAN, einvoice=OTHER, page=IBAN)
    einvoice = EInvoiceCheck(profile="EN 16931", matches_page=False, differences=[difference])

    assert kinds(read(einvoice=einvoice)) == [CheckKind.DATA_DIFFERS]


def test_alerts_come_first() -> None:
    found = supplier_checks(read(iban=OTHER, issued_at=date(2027, 1, 1)), USUAL, TODAY)

    assert [check.severity for check in found] == [CheckSeverity.ALERT, CheckSeverity.NOTICE]


def iban_of(chance: Random) -> str:
    return f"DE{chance.randrange(10**20):020}"


def test_a_year_of_suppliers() -> None:
    """200 suppliers send monthly invoices of varying sums; a few move to another bank, which a person confirms. 40
    frauds are planted: all of these kinds are found, and fewer than two in a hundred honest invoices are disturbed."""
    chance = Random(7)  # noqa: S311
    honest = alarms = 0
    caught = planted = 0
    for supplier in range(200):
        account, usual, history = iban_of(chance), chance.randrange(50, 5000), list[Invoice]()
        for month in range(12):
            day = date(2025, 6, 1) + timedelta(days=30 * month + chance.randrange(5))
            amount = Decimal(round(usual * chance.lognormvariate(0, 0.4) * 100)) / 100
            moves = chance.random() < 0.004
            account = iban_of(chance) if moves else account
            values: dict[str, Any] = {
                **{"invoice_number": f"{supplier}-{month * 13 + 400}", "amount": amount, "issued_at": day},
                **{"iban": account, "vendor_tax_id": f"DE{100000000 + supplier}"},
            }
            is_fraud = supplier % 5 == 0 and month == 8
            found = kinds(read(**_forged(values, history, supplier // 5) if is_fraud else values), history[:50], day)
            planted, caught = planted + is_fraud, caught + bool(is_fraud and found)
            if is_fraud:
                continue
            honest, alarms = honest + 1, alarms + bool(found and not moves)
            history.insert(0, earlier(0, ReviewStatus.CONFIRMED, **values))

    assert (planted, caught) == (40, 40)
    assert honest == 2360
    assert alarms < 0.02 * honest


def _forged(values: dict[str, Any], history: Sequence[Invoice], kind: int) -> dict[str, Any]:
    last = history[0]
    again = {"amount": last.amount, "issued_at": last.issued_at}
    return {
        **values,
        **(
            {"iban": OTHER},
            {"vendor_tax_id": OTHER_TAX},
            {"invoice_number": last.invoice_number, "amount": values["amount"] + 1},
            {**again, "invoice_number": f"{last.invoice_number}A"},
            {"amount": values["amount"] * 40},
        )[kind % 5],
    }
