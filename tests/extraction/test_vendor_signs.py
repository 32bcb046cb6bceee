"""What speaks for a name beside the models' word."""

from serve_app.extraction.candidates.vendors import vendor_candidates
from serve_app.extraction.evidence import gather
from serve_app.extraction.parties.vendor_signs import is_corroborated, is_named_as_seller
from tests.extraction.pages import document_of, reading_of


def corroborates(name: str, *lines: str) -> bool:
    return is_corroborated(vendor_candidates(gather(document_of(lines), reading_of(lines))), name)


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


def test_that_a_heading_makes_it_the_sellers_is_a_sign() -> None:
    assert corroborates("Akme Tools", "Seller: Akme|SELLER Tools|SELLER", "1 High Street")
    assert not corroborates("Akme Tools", "Akme|SELLER Tools|SELLER", "1 High Street")


def test_a_heading_names_the_seller() -> None:
    lines = ("Seller: Akme|SELLER Tools|SELLER", "Buyer: Beispiel|SELLER Ltd|SELLER")
    candidates = vendor_candidates(gather(document_of(lines), reading_of(lines)))
    assert is_named_as_seller(candidates, "Akme Tools")
    assert not is_named_as_seller(candidates, "Beispiel Ltd")


def test_a_place_beside_a_registered_company_is_not_corroborated() -> None:
    place = ("Oasis|SELLER Village|SELLER", "1 High Street", "Tel 030 1234")
    assert corroborates("Oasis Village", *place)
    assert not corroborates("Oasis Village", *place, "Line", "Line", "Akme Tools Ltd", "Company No. 1234567")


def test_a_brand_and_its_company_read_as_one_name_are_not_corroborated() -> None:
    address = ("1 High Street", "Tel 030 1234")
    pages = gather(
        document_of(("Sarang|SELLER", "Akme|SELLER Tools|SELLER Ltd|SELLER", *address)),
        reading_of(("Sarang|SELLER", "Akme|SELLER Tools|SELLER Ltd|SELLER", *address)),
    )
    candidates = vendor_candidates(pages)
    joined = [candidate.value for candidate in candidates if candidate.features["ends in a company"]]
    assert not any(is_corroborated(candidates, name) for name in joined)
    assert corroborates("Akme Tools Ltd", "Akme|SELLER Tools|SELLER Ltd|SELLER", *address)
