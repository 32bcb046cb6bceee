"""A PDF and an electronic invoice of the same invoice become one document; any others are documents of their own."""

from collections.abc import Callable

import pytest

from serve_app.documents.einvoice import einvoice_file
from serve_app.documents.mail.open import open_mail, open_upload
from serve_app.documents.mail.opened import OpenRules
from serve_app.domain.inbound_mail import Outcome
from tests.documents.einvoice.hybrid import pdf_with
from tests.documents.einvoice.samples import fatturapa, ksef, ubl
from tests.support.mail_corpus import signed, with_file, xml_and_pdf, zipped
from tests.support.pdfs import drawn

PRINTED = ["Lindner Druck GmbH DE136695976", "Rechnung RE-2026-118 05.03.2026", "Summe 1.190,00 EUR"]


def printing(*lines: str) -> bytes:
    def draw(canvas: object) -> None:
        for number, line in enumerate(lines):
            canvas.drawString(60, 700 - 20 * number, line)  # type: ignore[attr-defined]

    return drawn(draw)


def documents(raw: bytes) -> list[bytes]:
    return [opened.data for opened in open_mail(raw, OpenRules()).parts if opened.data]


@pytest.mark.parametrize(
    "lines",
    [PRINTED, [PRINTED[0], PRINTED[1], "Summe 1.180,00"], [PRINTED[0], "Rechnung RE-2026-117", PRINTED[2]]],
    ids=["same", "other total", "other number"],
)
def test_a_pdf_that_prints_the_invoice_gets_the_xml(lines: list[str]) -> None:
    shown = printing(*lines)
    (document,) = documents(xml_and_pdf("r.xml", ubl(), shown))
    assert document.startswith(shown)
    assert einvoice_file(document) == ubl()


def test_the_same_mail_gives_the_same_bytes() -> None:
    raw = xml_and_pdf("r.xml", ubl(), printing(*PRINTED))
    assert documents(raw) == documents(raw)


def test_an_xml_of_the_same_name_belongs_to_a_scan() -> None:
    (document,) = documents(xml_and_pdf("I.XML", ubl()))
    assert einvoice_file(document) == ubl()


@pytest.mark.parametrize(
    "lines",
    [["Terms and conditions"], [PRINTED[0], "Rechnung RE-2026-117 Summe 118,00"]],
    ids=["terms", "another invoice of the supplier"],
)
def test_a_pdf_of_something_else_stays_as_it_is(lines: list[str]) -> None:
    shown = printing(*lines)
    assert documents(xml_and_pdf("r.xml", ubl(), shown)) == [ubl(), shown]


def test_a_pdf_with_an_electronic_invoice_keeps_its_own() -> None:
    hybrid = pdf_with(("factur-x.xml", ubl(total="99.00")))
    assert documents(xml_and_pdf("i.xml", ubl(), hybrid)) == [hybrid]


def test_a_pdf_that_would_become_too_large_stays_as_it_is() -> None:
    shown = printing(*PRINTED)
    rules = OpenRules(max_file_bytes=len(shown) + 100)
    parts = open_mail(xml_and_pdf("i.xml", ubl(), shown), rules).parts
    assert [opened.data for opened in parts if opened.data] == [shown]


@pytest.mark.parametrize("wrap", [signed, lambda xml: zipped(("fattura.xml.p7m", signed(xml)), ("plain.xml", ksef()))])
def test_a_signed_file_is_unwrapped_and_its_signature_is_said_to_be_unchecked(wrap: Callable[[bytes], bytes]) -> None:
    opened = open_mail(with_file(wrap(fatturapa()), "application/octet-stream", "fattura.xml.p7m"), OpenRules())
    assert fatturapa() in [part.data for part in opened.parts]
    assert any("signature was not checked" in part.part.reason for part in opened.parts)


def test_an_uploaded_file_of_another_syntax_is_named() -> None:
    (opened,) = open_upload(b"<?xml version='1.0'?><Order xmlns='urn:o'/>", "o.xml", OpenRules(is_upload=True))
    assert opened.part.outcome is Outcome.UNSUPPORTED
    assert "Its root element is Order (urn:o)." in opened.part.reason
