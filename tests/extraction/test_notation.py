"""Words of numbers are rewritten in one notation, and only those."""

import pytest

from serve_app.domain.document import Box, Document, Page, Word
from serve_app.extraction.notation import in_plain_notation

LINE, LETTER = 0.02, 0.01


def plain(*lines: str, has_thousandths: bool = False) -> list[str]:
    """Lines of words in plain notation; two blanks part cells."""
    (page,) = in_plain_notation(Document((page_of(lines),)), has_thousandths=has_thousandths)
    return [word.text for word in page.words]


def page_of(lines: tuple[str, ...]) -> Page:
    words = []
    for row, line in enumerate(lines):
        left, top = 0.05, 0.05 + 2 * LINE * row
        for cell in line.split("  "):
            for text in cell.split(" "):
                words.append(Word(text, Box(left, top, left + LETTER * len(text), top + LINE)))
                left += LETTER * len(text) + 0.3 * LINE
            left += 3 * LINE
    return Page(1, 600.0, 600.0, tuple(words))


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("1,41,750/-", "1,41,750"),
        ("Rs.500/-", "Rs.500"),
        ("850.-", "850"),
        ("850,--", "850"),
        ("250.—", "250"),
        ("1'250.--", "1'250"),
        ("850:-", "850"),
        ("192€43", "192.43€"),
        ("1.192€43", "1.192,43€"),
        ("$******5,742.66", "$5,742.66"),
        ("**5,742.66**", "5,742.66"),
        ("$614⁰²", "$614.02"),
        ("1.614⁰²", "1.614,02"),
        ("£5,868.00¹", "£5,868.00"),
        ("Ltd.¹", "Ltd."),
        ("Kestrel²", "Kestrel"),
        ("٦١٤٫٠٢", "614.02"),
        ("۱۲۳٬۴۵۶", "123,456"),
        ("१,४१,७५०.००", "1,41,750.00"),
        ("๑๒๓.๕๐", "123.50"),
        ("￥１２，０００", "¥12,000"),
    ],
)
def test_a_number_is_written_in_plain_notation(printed: str, expected: str) -> None:
    assert plain(printed) == [expected]


@pytest.mark.parametrize(
    "printed",
    [
        "12.50",
        "-12.50",
        "m²",
        "10-12",
        "2024-11-03",
        "****1234",
        "DS-INV-2024-",
        "10:30",
        "07-Apr-",
        "12.50-F",
        "$50-75",
    ],
)
def test_anything_else_stays_as_it_is_printed(printed: str) -> None:
    assert plain(printed) == [printed]


def test_a_dash_before_cents_is_a_decimal_mark_where_sums_have_it() -> None:
    assert plain("R525-50", "R8 513-45", "1 110-45") == ["R525.50", "R8", "513.45", "1", "110.45"]


def test_a_colon_before_cents_is_a_decimal_mark_beside_a_currency() -> None:
    assert plain("kr 1 234:50", "10:30") == ["kr", "1", "234.50", "10:30"]


def test_a_colon_that_no_time_has_is_a_decimal_mark_where_a_sum_has_it() -> None:
    assert plain("683:88", "2 415:50", "19:38", "13 419:38 kr")[:4] == ["683.88", "2", "415.50", "19.38"]
    assert plain("683:88", "125:30") == ["683:88", "125:30"]
    assert plain("125:30", "0:45", "19.20", "12.40", "8:30 kr")[0] == "125:30"


def test_a_dash_behind_all_sums_is_no_minus() -> None:
    assert plain("￥118,800-", "￥10,800-", "4  12,000  48,000") == ["¥118,800", "¥10,800", "4", "12,000", "48,000"]
    assert plain("12,50-", "100,00-") == ["12,50", "100,00"]


def test_a_dash_beside_positive_sums_is_a_minus() -> None:
    assert plain("¥118,800", "¥10,800-") == ["¥118,800", "¥10,800-"]
    assert plain("112,50", "100,00-") == ["112,50", "100,00-"]


def test_a_dash_on_a_credit_note_is_a_minus() -> None:
    assert plain("Gutschrift", "12,50-", "100,00-")[1:] == ["12,50-", "100,00-"]


def test_raised_cents_have_as_many_digits_as_the_currency() -> None:
    assert plain("12⁵⁰⁰", has_thousandths=True) == ["12.500"]
    assert plain("5868¹²³") == ["5868"]
