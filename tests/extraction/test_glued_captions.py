"""What is printed before a number is cut from it only if it is a caption."""

import pytest

from serve_app.extraction.parties.names import printed_number


@pytest.mark.parametrize(
    ("printed", "number"),
    [
        ("INVOICE#001-000417755", "001-000417755"),
        ("INV0ICE#001-000417755", "001-000417755"),
        ("1NVOICE#001-22", "001-22"),
        ("N0.123-45", "123-45"),
        ("č.2025001", "2025001"),
        ("faktura č.2025001", "2025001"),
        ("fakturanr.4711", "4711"),
        ("Číslo:2025001", "2025001"),
        ("Broj:12-2025", "12-2025"),
        ("請求番号250930-0417", "250930-0417"),
        ("发票号码 24417000", "24417000"),
    ],
)
def test_a_caption_is_cut_from_the_number_that_it_sticks_to(printed: str, number: str) -> None:
    assert printed_number(printed) == number


@pytest.mark.parametrize(
    "number",
    ["RE.2024-17", "INV-2024-17", "FV/5/VI/2025", "A.12-44", "2024.001", "S.2024/001", "C.2025/001", "東京250930"],
)
def test_letters_of_a_number_stay(number: str) -> None:
    assert printed_number(number) == number
