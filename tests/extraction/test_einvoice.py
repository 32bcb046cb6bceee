"""The electronic invoice is a witness: it is compared with the page, and never overrules it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from serve_app.domain.document import Document, TextSource
from serve_app.domain.einvoice import Account, EInvoice, EInvoiceSyntax, Party, Payment, Totals
from serve_app.domain.embedded_data import EInvoiceField
from serve_app.domain.invoice import Confidence, Extraction, Field
from tests.extraction.pages import document_of, extract_invoice, reading_of

PAGE = [
    "Akme|SELLER Werkzeug|SELLER GmbH|SELLER",
    "Rechnung RE-2024/17|INVOICE_NUMBER vom 05.03.2024|ISSUE_DATE",
    "Lieferung 01.03.2024|OTHER_DATE Kunde 471100|OTHER_NUMBER",
    "Zahlbar bis 19.03.2024|DUE_DATE",
    "Hammer|LINE_DESCRIPTION 2|LINE_QUANTITY 25,00|LINE_UNIT_PRICE 50,00|LINE_TOTAL",
    "Netto 50,00|SUBTOTAL MwSt 19% 9,50|TAX",
    "Gesamt 59,50|TOTAL €|CURRENCY",
    "USt-IdNr. DE136695976 IBAN DE88 2008 0000 0970 3757 00",
]
GENUINE = EInvoice(
    EInvoiceSyntax.CII,
    "Factur-X EN 16931",
    number="RE-2024/17",
    issued_at=date(2024, 3, 5),
    due_at=date(2024, 3, 19),
    currency="EUR",
    seller=Party(name="Akme Werkzeug GmbH", vat_id="DE136695976"),
    payment=Payment(accounts=(Account("DE88200800000970375700"),)),
    totals=Totals(gross=Decimal("59.5"), tax=Decimal("9.50")),
)


def changed(**values: Any) -> EInvoice:
    """The genuine one with other values of `InvoiceData`."""
    found = replace(GENUINE, **{name: value for name, value in values.items() if name not in _NESTED})
    for name, change in _NESTED.items():
        if name in values:
            found = change(found, values[name])
    return found


_NESTED: dict[str, Callable[[EInvoice, Any], EInvoice]] = {
    "amount": lambda found, value: replace(found, totals=replace(found.totals, gross=value)),
    "tax": lambda found, value: replace(found, totals=replace(found.totals, tax=value)),
    "seller": lambda found, value: replace(found, seller=replace(found.seller, name=value)),
    "ibans": lambda found, value: replace(found, payment=Payment(accounts=tuple(map(Account, value)))),
    "vat_ids": lambda found, value: replace(
        found,
        seller=replace(found.seller, vat_id=next(iter(value), None)),
        buyer=Party(vat_id=value[1] if value[1:] else None),
    ),
}


def extract(page: list[str] = PAGE, seen: list[str] | None = None, sure: float = 0.97, **values: Any) -> Extraction:
    """The page, with an electronic invoice that differs from the genuine one by `values`; `seen` by both models."""
    document = replace(document_of(page), einvoice=changed(**values))
    return extracted(document, seen or page, sure)


def extracted(document: Document, seen: list[str], sure: float = 0.97) -> Extraction:
    return extract_invoice(document, reading_of(seen, sure=sure), reading_of(seen, sure=sure))


def differences(result: Extraction) -> list[tuple[str, str, str | None]]:
    assert result.einvoice is not None
    assert result.einvoice.matches_page is not bool(result.einvoice.differences)
    return [
        (difference.field.value, difference.einvoice, difference.page) for difference in result.einvoice.differences
    ]


def unlabelled(page: list[str]) -> list[str]:
    return [" ".join(word.partition("|")[0] for word in line.split()) for line in page]


def test_a_file_without_one_says_nothing() -> None:
    assert extracted(document_of(PAGE), PAGE).einvoice is None


def test_a_genuine_one_matches() -> None:
    result = extract()
    assert differences(result) == []
    assert result.einvoice is not None
    assert result.einvoice.profile == "Factur-X EN 16931"


def test_it_matches_whatever_the_models_make_of_the_page() -> None:
    wrong = [*PAGE[:4], "Hammer 2 25,00 50,00|TAX", "Netto 50,00 MwSt 19% 9,50|TOTAL", *PAGE[6:]]
    assert differences(extract(seen=unlabelled(PAGE))) == []
    document = replace(document_of(PAGE), einvoice=GENUINE)
    assert differences(extract_invoice(document, reading_of(wrong), reading_of(unlabelled(PAGE)))) == []


TAMPERED = [
    ({"amount": Decimal("9559.50")}, ("amount", "9559.50", "59.50")),
    ({"number": "RE-2024/18"}, ("invoice_number", "RE-2024/18", "RE-2024/17")),
    ({"issued_at": date(2024, 5, 3)}, ("issued_at", "2024-05-03", "2024-03-05")),
    ({"due_at": date(2024, 3, 20)}, ("due_at", "2024-03-20", "2024-03-19")),
    ({"currency": "USD"}, ("currency", "USD", "EUR")),
    ({"tax": Decimal("3.50")}, ("tax", "3.50", "9.50")),
    ({"vat_ids": ("DE811907980",)}, ("vat_id", "DE811907980", "DE136695976")),
    ({"ibans": ("DE89370400440532013000",)}, ("iban", "DE89370400440532013000", "DE88200800000970375700")),
]


@pytest.mark.parametrize(("values", "expected"), TAMPERED)
def test_every_tampered_value_is_shown(values: dict[str, Any], expected: tuple[str, str, str]) -> None:
    assert differences(extract(**values)) == [expected]


@pytest.mark.parametrize(("values", "expected"), TAMPERED)
def test_also_where_the_models_see_nothing(values: dict[str, Any], expected: tuple[str, str, str]) -> None:
    shown = differences(extract(seen=unlabelled(PAGE), **values))
    assert [difference[:2] for difference in shown] == [expected[:2]]


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"amount": Decimal("50.00")}, "amount"),
        ({"tax": Decimal("50.00")}, "tax"),
        ({"number": "471100"}, "invoice_number"),
        ({"issued_at": date(2024, 3, 1)}, "issued_at"),
        ({"due_at": date(2024, 3, 5)}, "due_at"),
        ({"ibans": ("DE88200800000970375700", "DE89370400440532013000")}, "iban"),
    ],
)
def test_a_value_printed_in_another_role_is_shown(values: dict[str, Any], field: str) -> None:
    assert [difference[0] for difference in differences(extract(**values))] == [field]


def test_what_neither_side_prints_is_no_contradiction() -> None:
    short = [line for index, line in enumerate(PAGE) if index not in (3, 5, 7)]
    assert differences(extract(short)) == []
    nothing: dict[str, Any] = {
        "due_at": None,
        "tax": None,
        "currency": None,
        "vat_ids": (),
        "ibans": (),
        "number": None,
    }
    assert differences(extract(**nothing)) == []


def test_a_buyers_vat_id_may_be_missing_on_either_side() -> None:
    assert differences(extract(vat_ids=("DE136695976", "DE811907980"))) == []
    assert differences(extract([*PAGE, "Ihre USt-IdNr. DE811907980"])) == []


def test_values_are_found_however_they_are_printed() -> None:
    page = [
        *PAGE[:1],
        "Rechnung RE - 2024 / 17 vom 5. März 2024",
        "Zahlbar bis 19.3.24",
        "Netto 1 050,00 MwSt 19% 199,50",
        "Gesamt EUR1.249,50*",
        "USt-IdNr.: DE 136 695 976 IBAN: DE88200800000970375700",
    ]
    assert differences(extract(page, amount=Decimal("1249.50"), tax=Decimal("199.5"))) == []


def test_a_credit_note_may_print_its_amounts_without_sign() -> None:
    assert differences(extract(amount=Decimal("-59.50"), tax=Decimal("-9.50"))) == []


def test_letters_that_a_picture_makes_of_digits_are_no_difference() -> None:
    page = [*PAGE[:7], "USt-IdNr. DE13669S976 IBAN DE88 2O08 0000 0970 3757 00"]
    document = replace(document_of(page), einvoice=GENUINE)
    seen = replace(document, pages=tuple(replace(page, source=TextSource.OCR) for page in document.pages))
    assert [difference[0] for difference in differences(extracted(document, page))] == ["iban"]
    assert differences(extracted(seen, page)) == []


def test_the_page_wins_and_what_is_disputed_is_not_high() -> None:
    tampered = extract(amount=Decimal("9559.50"), number="X-1", currency="USD")
    genuine = extracted(document_of(PAGE), PAGE)
    disputed = {Field.AMOUNT, Field.INVOICE_NUMBER, Field.CURRENCY}
    assert (tampered.amount, tampered.invoice_number, tampered.currency) == (Decimal("59.50"), "RE-2024/17", "EUR")
    assert genuine.field_confidence is not None
    assert {genuine.field_confidence[field] for field in disputed} == {Confidence.HIGH}
    assert tampered.field_confidence == {
        field: Confidence.MID if field in disputed else level for field, level in genuine.field_confidence.items()
    }
    assert tampered.quality_score is not None
    assert genuine.quality_score is not None
    agreeing = extract().quality_score
    assert agreeing is not None
    assert max(tampered.quality_score, genuine.quality_score) < agreeing


def test_agreement_makes_low_mid_and_never_high() -> None:
    page, nothing = ["Kunde RE-2024/17|INVOICE_NUMBER"], ["Kunde RE-2024/17"]

    def confidence(einvoice: EInvoice | None) -> Confidence:
        document = replace(document_of(page), einvoice=einvoice)
        read = extract_invoice(document, reading_of(page, sure=0.9), reading_of(nothing))
        assert read.invoice_number == "RE-2024/17"
        return (read.field_confidence or {})[Field.INVOICE_NUMBER]

    assert confidence(None) is Confidence.LOW
    assert confidence(replace(GENUINE, number="RE-2024/18")) is Confidence.LOW
    assert confidence(GENUINE) is Confidence.MID


def test_the_answer_is_plain_json() -> None:
    shown = extract(amount=Decimal("9559.50"), issued_at=date(2024, 5, 3)).model_dump(mode="json")["einvoice"]
    assert shown == {
        "profile": "Factur-X EN 16931",
        "matches_page": False,
        "differences": [
            {"field": EInvoiceField.AMOUNT.value, "einvoice": "9559.50", "page": "59.50"},
            {"field": EInvoiceField.ISSUED_AT.value, "einvoice": "2024-05-03", "page": "2024-03-05"},
        ],
        "validation": None,
    }


def test_a_number_that_contains_a_day_prints_no_date() -> None:
    """The page has another date than the electronic invoice, whose date is in the number alone."""
    page = [line.replace("RE-2024/17", "RE-2024-04-09") for line in PAGE]
    found = differences(extract(page, number="RE-2024-04-09", issued_at=date(2024, 4, 9)))
    assert [name for name, *_ in found] == ["issued_at"]
    found = differences(extract(page, seen=unlabelled(page), number="RE-2024-04-09", issued_at=date(2024, 4, 9)))
    assert [name for name, *_ in found] == ["issued_at"]
