"""The page of an electronic invoice has its captions in its issuer's language."""

from dataclasses import replace

import pytest

from serve_app.documents.einvoice import parse_einvoice, to_page
from serve_app.domain.einvoice import Address
from tests.documents.einvoice import samples


def page_of_seller_in(country: str | None) -> str:
    einvoice = parse_einvoice(samples.ubl())
    return to_page(replace(einvoice, seller=replace(einvoice.seller, address=Address(country=country))))


@pytest.mark.parametrize(
    ("data", "language", "shown"),
    [
        (samples.ubl(), "de", ["<h1>Rechnung</h1>", "Rechnungsnummer:", "Fällig am:", "USt 19 % auf 1000.00"]),
        (samples.fatturapa(), "it", ["<h1>Fattura</h1>", "Numero fattura:", "Scadenza:", "Netto a pagare"]),
        (samples.ksef(), "pl", ["<h1>Faktura</h1>", "Numer faktury:", "Termin płatności:", "Razem brutto"]),
        (samples.facturae(), "es", ["<h1>Factura</h1>", "Número de factura:", "Base imponible"]),
        (samples.nfe(), "pt", ["<h1>Fatura</h1>", "Número da fatura:", "Data de vencimento:"]),
        (samples.ubl_tr(), "tr", ["<h1>Fatura</h1>", "Fatura no:", "Genel toplam"]),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_captions_are_in_the_language_of_the_country(data: bytes, language: str, shown: list[str]) -> None:
    page = to_page(parse_einvoice(data))
    assert f'<html lang="{language}">' in page
    assert [text for text in shown if text not in page] == []


@pytest.mark.parametrize("country", ["BE", "CH", "GB", "QQ", "", None])
def test_they_are_english_where_several_languages_or_none_are_known(country: str | None) -> None:
    assert '<html lang="en">' in page_of_seller_in(country)
    assert "Invoice number:" in page_of_seller_in(country)
