"""What codes say, and what damaged and hostile ones do."""

from base64 import b64encode, urlsafe_b64encode
from decimal import Decimal

import pytest

from serve_app.domain.code_kinds import CodeKind
from serve_app.domain.invoice_data import InvoiceData
from serve_app.extraction.codes import decode
from tests.extraction.codes.cases import CASES, jwt, tlv


@pytest.mark.parametrize(("kind", "text", "values"), CASES, ids=[kind.value for kind, _, _ in CASES])
def test_values_by_kind(kind: CodeKind, text: str, values: InvoiceData) -> None:
    decoded = decode(text)

    assert (decoded.kind, decoded.values) == (kind, values)


def test_every_kind_is_tried() -> None:
    assert {kind for kind, _, _ in CASES} | {CodeKind.SID, CodeKind.OTHER} == set(CodeKind)


def test_short_invoice_alone() -> None:
    decoded = decode("SID*1.0*ID:FV17*DD:20240305*AM:121.00*T0:21.00*CC:EUR")

    assert decoded.kind is CodeKind.SID
    assert (decoded.values.number, decoded.values.tax) == ("FV17", Decimal(21))


@pytest.mark.parametrize(
    "text",
    [
        "https://akme.example/invoices/17",
        "https://afip.gob.ar.akme.example/fe/qr/?p=e30=",
        "http://[::1",
        "4006381333931",
        "41240312345678000190650010000012341000012340",
        "WIFI:T:WPA;S:guests;P:secret;;",
        "BEGIN:VCARD\nFN:Pia Beispiel\nEND:VCARD",
    ],
    ids=["address", "host-of-others", "broken-address", "goods", "wrong-check-digit", "wifi", "card"],
)
def test_code_of_no_invoice(text: str) -> None:
    assert decode(text).kind is CodeKind.OTHER


def cut(text: str) -> list[str]:
    """A code cut off at each of 40 places, and with each of these garbled."""
    places = range(1, len(text), max(1, len(text) // 40))
    return [text[:at] for at in places] + [f"{text[:at]}\x00ﷺ9{text[at + 3 :]}" for at in places]


@pytest.mark.parametrize(("kind", "text", "values"), CASES, ids=[kind.value for kind, _, _ in CASES])
def test_damaged_code_never_fails(kind: CodeKind, text: str, values: InvoiceData) -> None:
    for damaged in cut(text):
        found = decode(damaged).values
        assert found.amount is None or (found.amount.is_finite() and abs(found.amount) < Decimal("1e15"))


@pytest.mark.parametrize(
    "text",
    [
        jwt({"SellerGstin": "29AABCT1332L000", "TotInvVal": 1e308}),
        jwt({"SellerGstin": "29AABCT1332L000", "TotInvVal": "NaN"}),
        "eyJ." + urlsafe_b64encode(b'{"data":' * 2000).decode() + ".x",
        "https://www.afip.gob.ar/fe/qr/?p=" + b64encode(b"[" * 3000).decode(),
        tlv("x", "1", "2024-99-99T0", "1", "1"),
        b64encode(b"\x01\xff" + b"a" * 30).decode(),
        "SPC\n" * 30,
        "SPD*1.0*AM:1e9999*DT:99999999",
        "A:123456789*B:*F:20241399*O:Infinity*N:--1",
        "1234567890|PL|92124012340001567890123456|" + "9" * 5000 + "|a|b",
        '{"vkntckn":"1","tarih":"2024-03-05","vergidahil":"' + "9" * 4000 + '"}',
    ],
)
def test_hostile_code_has_no_values(text: str) -> None:
    found = decode(text)

    assert found.kind is not CodeKind.OTHER
    assert (found.values.amount, found.values.issued_at) == (None, None)
