"""The electronic invoice in a PDF is read where a standard puts it, and nothing else is trusted."""

import socket
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from serve_app.documents.einvoice import einvoice_file, read_einvoice
from serve_app.documents.einvoice.xml import MAX_BYTES
from serve_app.domain.einvoice import EInvoiceSyntax
from serve_app.domain.invoice_data import InvoiceData, data_in
from tests.documents.einvoice.hybrid import EN16931, cii, first_zugferd, pdf_with
from tests.documents.einvoice.samples import ubl
from tests.support.pdfs import drawn, write_lines

EXPECTED = InvoiceData(
    profile="Factur-X EN 16931",
    seller="Northwind Traders Ltd",
    number="INV-17",
    issued_at=date(2024, 3, 5),
    due_at=date(2024, 4, 4),
    currency="EUR",
    amount=Decimal("54.00"),
    tax=Decimal("9.00"),
    vat_ids=("DE136695976",),
    ibans=("DE88200800000970375700",),
)


def values(pdf: bytes) -> InvoiceData | None:
    found = read_einvoice(pdf)
    return data_in(found) if found else None


ORDER = (
    b"""<rsm:SCRDMCCBDACIOMessageStructure xmlns:rsm="urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:100"/>"""
)
UBL = b'<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>'


@pytest.mark.parametrize("only_associated", [False, True])
def test_reads_every_value(only_associated: bool) -> None:
    pdf = pdf_with(("notes.txt", b"-"), ("factur-x.xml", cii()), only_associated=only_associated)
    assert values(pdf) == EXPECTED


def test_reads_the_first_zugferd() -> None:
    assert values(pdf_with(("ZUGFeRD-invoice.xml", first_zugferd()))) == InvoiceData(
        profile="ZUGFeRD 1.0 COMFORT",
        seller="Warenhaus Nord GmbH",
        number="471102",
        issued_at=date(2013, 3, 5),
        currency="EUR",
        amount=Decimal("235.62"),
        tax=Decimal("37.62"),
    )


@pytest.mark.parametrize(
    ("name", "guideline", "profile"),
    [
        ("factur-x.xml", "urn:factur-x.eu:1p0:minimum", "Factur-X MINIMUM"),
        ("Factur-X.xml", "urn:factur-x.eu:1p0:basicwl", "Factur-X BASIC WL"),
        ("factur-x.xml", f"{EN16931}#compliant#urn:factur-x.eu:1p0:basic", "Factur-X BASIC"),
        ("factur-x.xml", f"{EN16931}#conformant#urn:factur-x.eu:1p0:extended", "Factur-X EXTENDED"),
        ("factur-x.xml", "urn:else", "Factur-X"),
        ("zugferd-invoice.xml", EN16931, "ZUGFeRD 2.0 EN 16931"),
        ("ZUGFeRD-invoice.xml", f"{EN16931}#compliant#urn:zugferd.de:2p0:basic", "ZUGFeRD 2.0 BASIC"),
        ("xrechnung.xml", f"{EN16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0", "XRechnung 3.0"),
        ("factur-x.xml", f"{EN16931}#compliant#urn:xoev-de:kosit:standard:xrechnung_2.3", "XRechnung 2.3"),
    ],
)
def test_names_standard_and_level(name: str, guideline: str, profile: str) -> None:
    found = read_einvoice(pdf_with((name, cii(guideline))))
    assert found is not None
    assert found.profile == profile


def test_the_newest_standard_wins_and_a_broken_one_gives_way() -> None:
    old, new = ("ZUGFeRD-invoice.xml", first_zugferd()), ("factur-x.xml", cii())
    assert values(pdf_with(old, new)) == EXPECTED
    found = read_einvoice(pdf_with(old, ("factur-x.xml", b"<broken")))
    assert found is not None
    assert found.number == "471102"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("factur-x.xml.txt", cii()),
        ("order-x.xml", ORDER),
        ("factur-x.xml", ORDER),
        ("factur-x.xml", UBL),
        ("factur-x.xml", b""),
        ("factur-x.xml", b"not XML"),
        ("factur-x.xml", cii()[:-30]),
        ("factur-x.xml", cii().replace(b"standard:CrossIndustryInvoice:100", b"CrossIndustryInvoice:100")),
    ],
)
def test_nothing_else_is_trusted(name: str, data: bytes) -> None:
    assert read_einvoice(pdf_with((name, data))) is None


class TestOtherNames:
    def test_the_only_other_xml_is_read(self) -> None:
        found = read_einvoice(pdf_with(("notes.txt", b"-"), ("RE-118.xml", ubl())))
        assert found is not None
        assert (found.syntax, found.profile, found.number) == (EInvoiceSyntax.UBL, "XRechnung 3.0", "RE-2026-118")

    def test_of_several_none_is_chosen(self) -> None:
        assert read_einvoice(pdf_with(("a.xml", cii()), ("b.xml", cii(number="INV-18")))) is None

    def test_a_name_of_the_standards_wins(self) -> None:
        assert values(pdf_with(("a.xml", ubl()), ("factur-x.xml", cii()))) == EXPECTED


class TestOriginal:
    def test_the_file_is_given_as_it_is(self) -> None:
        assert einvoice_file(pdf_with(("factur-x.xml", cii()))) == cii()

    @pytest.mark.parametrize("pdf", [b"no PDF", pdf_with(("factur-x.xml", ORDER))])
    def test_what_is_not_read_is_not_given(self, pdf: bytes) -> None:
        assert einvoice_file(pdf) is None


def bomb() -> str:
    levels = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 20))
    return f'<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">{levels}]>'


@pytest.mark.parametrize(
    "data",
    [
        cii(number="&e19;", head=bomb()),
        cii(guideline="&e1;", head='<!DOCTYPE x [<!ENTITY e1 "y">]>'),
        cii(number="&file;", head='<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]>'),
        cii(head='<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">'),
        cii(head='<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x"> %p;]>'),
        cii(head='<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">').decode().encode("utf-16"),
        cii().replace(b"<ram:TypeCode>", b"<a>" * 5000),
        cii(number="x" * 11_000_000),
        b" " * (MAX_BYTES + 1) + cii(),
    ],
)
def test_hostile_xml_is_no_invoice_and_reaches_nothing(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", _refuse)
    assert read_einvoice(pdf_with(("factur-x.xml", data))) is None


def test_absurd_values_are_left_out() -> None:
    found = read_einvoice(pdf_with(("factur-x.xml", cii(number="1" * 1000, total="1e999"))))
    assert found is not None
    assert (found.number, found.totals.gross) == (None, None)
    data = cii().replace(b"20240305", b"20240230").replace(b"20240404", b"soon").replace(b"20240315", b"")
    found = read_einvoice(pdf_with(("factur-x.xml", data)))
    assert found is not None
    assert (found.issued_at, found.due_at) == (None, None)


@pytest.mark.parametrize("pdf", [b"", b"%PDF-1.7", b"no PDF", drawn(write_lines)])
def test_a_pdf_without_one_has_none(pdf: bytes) -> None:
    assert read_einvoice(pdf) is None


def test_a_damaged_pdf_never_raises() -> None:
    whole = pdf_with(("factur-x.xml", cii()))
    for cut in range(0, len(whole), len(whole) // 40):
        assert values(whole[:cut] + whole[cut + 50 :]) in (None, EXPECTED)


def _refuse(*_: Any, **__: Any) -> None:
    raise AssertionError("opened")
