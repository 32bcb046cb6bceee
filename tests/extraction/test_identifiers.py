"""VAT identifiers and bank accounts are told from other numbers."""

import pytest

from serve_app.extraction.parties.identifiers import find_ibans, find_vat_ids, is_iban

LINES = [
    "USt-IdNr.: DE 136 695 976 Tel. 030 123456",
    "TVA FR40303265045 NL001234567B01 P.IVA IT00743110157 ATU13585627",
    "IBAN: BE68 5390 0754 7034 BIC GKCCBEBB, CH93 0076 2011 6238 5295 7",
    "Konto 532013000 Best.-Nr. DE123456780 Kunde BE0123456789",
]


def test_vat_ids_with_right_check_digits_or_under_their_caption() -> None:
    found = find_vat_ids(LINES)
    assert found == ["DE136695976", "FR40303265045", "NL001234567B01", "IT00743110157", "ATU13585627"]
    assert find_vat_ids(["VAT no. DE123456780", "USt-ID DE12345678"]) == ["DE123456780", "DE12345678"]


def test_ibans_in_one_piece_or_in_groups() -> None:
    assert find_ibans(LINES) == ["BE68539007547034", "CH9300762011623852957"]
    assert find_ibans(["iban de89 3704 0044 0532 0130 00 2024"]) == ["DE89370400440532013000"]
    assert find_ibans(["IBAN DE12 1234 4321 9876 00"]) == ["DE12123443219876" + "00"]


@pytest.mark.parametrize(
    "number", ["", "DE", "DE88200800000970375701", "XX88200800000970375700", "DE٨٨200800000970375700"]
)
def test_what_is_no_iban(number: str) -> None:
    assert not is_iban(number)
