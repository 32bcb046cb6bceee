"""Whatever way an electronic invoice comes in, it ends as an invoice with a page."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from serve_app.documents.mail.open import open_mail, open_upload
from serve_app.documents.mail.opened import OpenedPart, OpenRules
from serve_app.documents.reader import read_document
from serve_app.domain.document import Document
from serve_app.domain.embedded_data import EInvoiceDifference, EInvoiceField
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import Extraction
from tests.documents.einvoice.samples import fatturapa, ksef, ubl
from tests.extraction.pages import extract_invoice, reading_of
from tests.support.mail_corpus import signed, with_file, xml_and_pdf, zipped
from tests.support.pdfs import drawn


def by_mail(data: bytes, name: str) -> list[OpenedPart]:
    return list(open_mail(with_file(data, "application/octet-stream", name), OpenRules()).parts)


def by_hand(data: bytes, name: str) -> list[OpenedPart]:
    return list(open_upload(data, name, OpenRules(is_upload=True)))


def only(parts: list[OpenedPart]) -> Document:
    (data,) = [part.data for part in parts if part.data]
    return read_document(data)


def read_by_nobody(document: Document) -> Extraction:
    """The invoice if both models see nothing."""
    pages = [[" ".join(word.text for word in page.words)] for page in document.pages]
    return extract_invoice(document, reading_of(*pages), reading_of(*pages))


@pytest.mark.parametrize("bring", [by_mail, by_hand])
@pytest.mark.parametrize(
    ("data", "name", "number", "amount"),
    [
        (ubl(), "re-118.xml", "RE-2026-118", "1190.00"),
        (signed(fatturapa()), "fattura.xml.p7m", "118/A", "1220.00"),
        (ksef(), "faktura.xml", "FV/118/2026", "1230.00"),
        (zipped(("folder/faktura.xml", ksef())), "portal.zip", "FV/118/2026", "1230.00"),
        (zipped(("fattura.xml.p7m", signed(fatturapa()))), "sdi.zip", "118/A", "1220.00"),
    ],
    ids=["XRechnung", "p7m", "KSeF", "ZIP", "p7m in a ZIP"],
)
def test_an_xml_becomes_an_invoice_with_a_page(
    bring: Callable[[bytes, str], list[OpenedPart]], data: bytes, name: str, number: str, amount: str
) -> None:
    document = only(bring(data, name))
    assert [page.number for page in document.pages] == [1]
    found = read_by_nobody(document)
    assert (found.invoice_number, found.amount) == (number, Decimal(amount))
    assert found.einvoice is not None
    assert found.einvoice.matches_page


def test_a_pdf_whose_xml_states_another_total_is_one_invoice_that_says_so() -> None:
    lines = ["Lindner Druck GmbH DE136695976", "Rechnung RE-2026-118 vom 05.03.2026", "Gesamt 1.180,00 EUR"]

    def draw(canvas: object) -> None:
        for row, line in enumerate(lines):
            canvas.drawString(60, 700 - 20 * row, line)  # type: ignore[attr-defined]

    mail = xml_and_pdf("r.xml", ubl(), drawn(draw))
    found = read_by_nobody(only(list(open_mail(mail, OpenRules()).parts)))
    assert found.einvoice is not None
    assert EInvoiceDifference(field=EInvoiceField.AMOUNT, einvoice="1190.00", page=None) in [
        difference.model_copy(update={"page": None}) for difference in found.einvoice.differences
    ]


def test_an_unknown_syntax_fails_by_its_name() -> None:
    with pytest.raises(DocumentError, match=r"Its root element is Order \(urn:o\)"):
        read_document(b"<?xml version='1.0'?><Order xmlns='urn:o'/>")
