"""An XML of several invoices is several documents, as a ZIP of them is."""

import pytest

from serve_app.documents.einvoice import parse_einvoice, separated
from serve_app.documents.mail.open import open_mail, open_upload
from serve_app.documents.mail.opened import OpenedPart, OpenRules
from serve_app.domain.inbound_mail import Outcome
from tests.documents.einvoice.samples import facturae, fatturapa, nfe, ubl
from tests.support.mail_corpus import signed, with_file, zipped

SIGNATURE = b"<ds:Signature xmlns:ds='http://www.w3.org/2000/09/xmldsig#'/>"


def enveloped(*invoices: bytes) -> bytes:
    inside = b"".join(invoice.partition(b"?>")[2] or invoice for invoice in invoices)
    return b'<?xml version="1.0"?><Batch xmlns="urn:example:envelope"><Header/>' + inside + b"</Batch>"


def two_facturae() -> bytes:
    invoice = facturae()[facturae().index(b"<Invoice>") : facturae().index(b"</Invoices>")]
    other = invoice.replace(b"<InvoiceNumber>118<", b"<InvoiceNumber>119<")
    return facturae().replace(b"</Invoices>", other + b"</Invoices>").replace(b"</fe:", SIGNATURE + b"</fe:")


def numbers(files: list[bytes]) -> list[str | None]:
    return [parse_einvoice(data).number for data in files]


class TestSeparated:
    def test_each_is_whole_by_itself(self) -> None:
        found = list(separated(fatturapa(3)) or ())
        assert [parse_einvoice(data) for data in found] == [parse_einvoice(fatturapa())] * 3

    def test_a_signature_of_all_is_left_out(self) -> None:
        found = list(separated(two_facturae()) or ())
        assert numbers(found) == ["A26-118", "A26-119"]
        assert not any(b"Signature" in data for data in found)

    def test_an_envelope_may_hold_several(self) -> None:
        found = list(separated(enveloped(ubl(number="RE-1"), ubl(number="RE-2"), nfe())) or ())
        assert numbers(found) == ["RE-1", "RE-2", "118"]

    @pytest.mark.parametrize("data", [ubl(), fatturapa(), enveloped(ubl()), b"<a/>", b"<", b""])
    def test_other_files_stay_as_they_are(self, data: bytes) -> None:
        assert separated(data) is None


def by_mail(data: bytes, name: str) -> list[OpenedPart]:
    return list(open_mail(with_file(data, "application/octet-stream", name), OpenRules()).parts)


def by_hand(data: bytes, name: str) -> list[OpenedPart]:
    return list(open_upload(data, name, OpenRules(is_upload=True)))


class TestWaysIn:
    @pytest.mark.parametrize(
        ("data", "name", "names"),
        [
            (two_facturae(), "lote.xml", ["lote-1.xml", "lote-2.xml"]),
            (signed(two_facturae()), "lote.xml.p7m", ["lote-1.xml", "lote-2.xml"]),
            (zipped(("a.xml", two_facturae()), ("b.xml", ubl())), "all.zip", ["a-1.xml", "a-2.xml", "b.xml"]),
        ],
        ids=["plain", "signed", "in a ZIP"],
    )
    def test_each_invoice_is_a_document(self, data: bytes, name: str, names: list[str]) -> None:
        for parts in (by_mail(data, name), by_hand(data, name)):
            assert [part.part.name for part in parts if part.data] == names
            assert Outcome.UNPACKED in [part.part.outcome for part in parts]

    def test_what_they_have_in_common_does_not_multiply_without_limit(self) -> None:
        header = b"<FileHeader>" + b" " * 8_000_000
        hostile = two_facturae().replace(b"<FileHeader>", header)
        invoice = hostile[hostile.index(b"<Invoice>") : hostile.index(b"</Invoices>")]
        (problem,) = [
            part.part for part in by_hand(hostile.replace(invoice, invoice * 10), "lote.xml") if not part.data
        ]
        assert problem.outcome is Outcome.TOO_LARGE
        assert problem.reason == "The electronic invoices of the file are too large together."
