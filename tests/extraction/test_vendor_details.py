"""How to reach the issuer and whom to pay, and nothing that is the buyer's."""

from serve_app.domain.vendor import VendorDetails
from serve_app.extraction.extract import extract_with_evidence
from tests.extraction.pages import document_of, reading_of

LETTERHEAD = ["Akme|SELLER Tools|SELLER Ltd|SELLER"]


def details(*lines: str) -> VendorDetails:
    page = [*LETTERHEAD, *lines]
    return extract_with_evidence(document_of(page), reading_of(page), reading_of(page)).vendor


def test_reads_every_detail() -> None:
    found = details(
        "Tel. +44 20 7946 0958",
        "info@akme-tools.example",
        "www.akme-tools.co.uk",
        "VAT DE136695976",
        "IBAN DE89 3704 0044 0532 0130 00",
    )
    assert found == VendorDetails(
        website="www.akme-tools.co.uk",
        email="info@akme-tools.example",
        phone="+44 20 7946 0958",
        vat_id="DE136695976",
        iban="DE89370400440532013000",
    )


def test_what_is_not_printed_is_none() -> None:
    assert details("Invoice No. 17", "Total 12.50") == VendorDetails()


def test_an_address_like_the_name_comes_before_a_nearer_one() -> None:
    assert details("jan@mail.example", "Invoice", "sales@akme.example").email == "sales@akme.example"


def test_the_buyers_details_are_not_the_vendors() -> None:
    found = details("Invoice", "Berta|BUYER Lang|BUYER", "berta@lang.example", "Your VAT: DE136695976")
    assert (found.email, found.vat_id) == (None, None)


def test_wrong_check_digits_are_no_account() -> None:
    found = details("IBAN DE88 3704 0044 0532 0130 00", "VAT DE136695975")
    assert (found.iban, found.vat_id) == (None, None)


def test_dates_and_amounts_are_no_website_and_no_telephone() -> None:
    found = details("Date 05.03.2024", "Total 1.234.567,00", "Order 4711 0815 1234")
    assert (found.website, found.phone) == (None, None)
