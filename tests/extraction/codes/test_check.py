"""A code beside what the page prints: it agrees, contradicts, or decides between candidates."""

from dataclasses import replace
from decimal import Decimal

import pytest

from serve_app.domain.code_kinds import CodeKind
from serve_app.domain.document import Box, Document, PrintedCode
from serve_app.domain.invoice import Confidence, Extraction, Field
from tests.extraction.pages import document_of, extract_invoice, reading_of

PAGE = [
    "Ferramentas|SELLER Akme|SELLER Lda|SELLER NIF 123456789",
    "Fatura FT A/17|INVOICE_NUMBER de 05.03.2024|ISSUE_DATE",
    "Encomenda B/99|OTHER_NUMBER",
    "Martelo|LINE_DESCRIPTION 2|LINE_QUANTITY 50,00|LINE_UNIT_PRICE 100,00|LINE_TOTAL",
    "Base 100,00|SUBTOTAL IVA 23% 23,00|TAX",
    "Total 123,00|TOTAL €|CURRENCY",
    "IBAN PT50 0002 0123 1234 5678 9015 4",
]
CODE = "A:123456789*B:999999990*C:PT*D:FT*E:N*F:20240305*G:FT A/17*H:0*I1:PT*N:23.00*O:123.00*Q:0*R:1"
PAYMENT = "BCD\n002\n1\nSCT\n\nAkme Lda\nPT50000201231234567890154\nEUR{amount}\n\n\nFT 17"


def extract(*codes: str, page: list[str] = PAGE, seen: list[str] | None = None) -> Extraction:
    document = with_codes(document_of(page), *codes)
    reading = reading_of(seen or page, sure=0.97)
    return extract_invoice(document, reading, reading)


def with_codes(document: Document, *codes: str) -> Document:
    (page,) = document.pages
    printed = tuple(PrintedCode(text, Box(0.1, 0.8, 0.3, 0.95)) for text in codes)
    return replace(document, pages=(replace(page, codes=printed),))


def differences(result: Extraction) -> list[tuple[str, str, str | None]]:
    return [(each.field.value, each.code, each.page) for code in result.codes for each in code.differences]


def level(result: Extraction, field: Field) -> Confidence:
    return (result.field_confidence or {})[field]


def test_code_that_agrees() -> None:
    (code,) = extract(CODE).codes

    assert (code.kind, code.page, code.box, code.matches_page) == (CodeKind.ATCUD, 1, (0.1, 0.8, 0.3, 0.95), True)
    assert (code.values.invoice_number, code.values.amount, code.values.tax_ids) == (
        "FT A/17",
        Decimal(123),
        ["123456789"],
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("O:123.00", "O:1123.00", ("amount", "1123", "123.00")),
        ("N:23.00", "N:13.00", ("tax", "13", "23.00")),
        ("F:20240305", "F:20240503", ("issued_at", "2024-05-03", "2024-03-05")),
        ("G:FT A/17", "G:FT A/18", ("invoice_number", "FT A/18", "FT A/17")),
    ],
)
def test_contradicted_value_is_not_high(old: str, new: str, expected: tuple[str, str, str]) -> None:
    field = Field(expected[0])
    result = extract(CODE.replace(old, new))

    assert level(extract(CODE), field) is Confidence.HIGH
    assert level(result, field) is not Confidence.HIGH
    assert differences(result) == [expected]
    assert not result.codes[0].matches_page


@pytest.mark.parametrize("amount", ["123.00", "23.00", "100.00"])
def test_payment_may_be_for_a_part(amount: str) -> None:
    assert differences(extract(PAYMENT.format(amount=amount))) == []


def test_payment_of_sum_that_is_not_printed() -> None:
    assert differences(extract(PAYMENT.format(amount="321.00"))) == [("amount", "321", "123.00")]


def test_payment_to_account_that_is_not_printed() -> None:
    other = PAYMENT.format(amount="123.00").replace("PT50000201231234567890154", "DE89370400440532013000")

    assert differences(extract(other)) == [("iban", "DE89370400440532013000", "PT50000201231234567890154")]


def test_code_decides_between_candidates() -> None:
    """The models point at the order's number alone."""
    seen = [*PAGE[:1], "Fatura FT A/17 de 05.03.2024|ISSUE_DATE", "Encomenda B/99|INVOICE_NUMBER", *PAGE[3:]]
    decided = extract(CODE, seen=seen)

    assert extract(seen=seen).invoice_number == "B/99"
    assert decided.invoice_number == "FT A/17"
    assert level(decided, Field.INVOICE_NUMBER) is not Confidence.HIGH


def test_code_of_another_invoice_decides_nothing() -> None:
    other = CODE.replace("O:123.00", "O:999.00").replace("A:123456789", "A:987654321").replace("20240305", "20230101")

    assert extract(other).invoice_number == extract().invoice_number


@pytest.mark.parametrize("text", ["https://akme.example/", "x" * 7000, CODE[:40], "A:123456789*B:" + "9" * 6000])
def test_strange_code_changes_no_value(text: str) -> None:
    result = extract(text)

    assert result.model_dump(exclude={"codes", "field_confidence", "quality_score"}) == extract().model_dump(
        exclude={"codes", "field_confidence", "quality_score"}
    )
    assert len(result.codes[0].text) <= 2000


def test_number_of_codes_is_limited() -> None:
    assert len(extract(*["x"] * 60).codes) == 50
