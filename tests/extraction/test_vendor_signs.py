"""What speaks for a name beside the models' word."""

from serve_app.extraction.evidence import gather
from serve_app.extraction.ranking.vendor_options import vendor_options
from serve_app.extraction.vendor_signs import is_corroborated
from tests.extraction.pages import document_of, reading_of


def corroborates(name: str, *lines: str) -> bool:
    return is_corroborated(vendor_options(gather(document_of(lines), reading_of(lines))), name)


def test_a_company_over_its_address_and_telephone_is_corroborated() -> None:
    assert corroborates("Akme Tools", "Akme|SELLER Tools|SELLER", "1 High Street", "Tel 030 1234", "Total 12.00")


def test_a_person_of_whom_nothing_else_is_known_is_not() -> None:
    assert not corroborates("Johanna Muster", "Johanna|SELLER Muster|SELLER", "Hammer 12.00", "Total 12.00")


def test_a_form_that_names_another_seller_contradicts() -> None:
    lines = ("Seller", "Akme Tools", "1 High Street", "Tel 030 1234", "Line", "Line", "Line")
    other = ("Beispiel|SELLER Ltd|SELLER", "2 Low Street", "Tel 030 5678")
    assert not corroborates("Beispiel Ltd", *lines, *other)
    assert corroborates("Beispiel Ltd", *other)


def test_the_buyer_of_a_form_is_not_the_issuer() -> None:
    assert not corroborates("Beispiel Ltd", "Buyer", "Beispiel|SELLER Ltd|SELLER", "2 Low Street", "Tel 030 5678")
