"""Printed numbers become exact decimals, and nothing else becomes a number."""

from decimal import Decimal

import pytest

from serve_app.extraction.currency.currencies import uses_three_decimals
from serve_app.extraction.notation.numbers import Style, decimal_style, parse_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12.00", "12.00"),
        ("€12.00", "12.00"),
        ("$ 1,234.50", "1234.50"),
        ("12,50EUR", "12.50"),
        ("C$34.50CR", "-34.50"),
        ("1.234,56", "1234.56"),
        ("1,23,456.00", "123456.00"),
        ("1'234.50", "1234.50"),
        ("1 234,56", "1234.56"),
        ("3`360.00", "3360.00"),
        ("R$10,00", "10.00"),
        ("30 Nos", "30"),
        ("1x", "1"),
        ("-5.00", "-5.00"),
        ("5,00-", "-5.00"),
        ("(12.00)", "-12.00"),
        ("$-20.00", "-20.00"),
        ("\u2212\u202f7,10 €", "-7.10"),
        ("250.–", "250"),
        (".40", "0.40"),
        ("$.50", "0.50"),
        ("-.02", "-0.02"),
        ("Rs.500", "500"),
        (".754.00", "754.00"),
        # With its caption.
        ("Due$5,280.00", "5280.00"),
        ("TotalRM21.85", "21.85"),
        ("TOTAL:456€", "456"),
        ("IVA(21%):95.76€", "95.76"),
        ("（小写）¥950.00", "950.00"),
        ("(Total)€95.76", "95.76"),
    ],
)
def test_reads_a_number_however_it_is_written(text: str, value: str) -> None:
    assert parse_number(text, Style.POINT) == Decimal(value)


@pytest.mark.parametrize(
    "text", ["192.168.1.1", "12.01.2024", "INV-12", "CHF", "19%", "A12", "10:30", "12/2024", "DE123456789X", ""]
)
def test_takes_nothing_else_for_a_number(text: str) -> None:
    assert parse_number(text, Style.POINT) is None


def test_three_decimals_follow_the_style_of_the_page() -> None:
    assert parse_number("1.000", Style.POINT) == Decimal("1.000")
    assert parse_number("1.000", Style.COMMA) == Decimal(1000)
    assert parse_number("1,000", Style.POINT) == Decimal(1000)
    assert parse_number("1,000", Style.COMMA) == Decimal("1.000")


def test_the_style_is_that_of_most_numbers_and_not_of_dates() -> None:
    assert decimal_style(["01.02.24", "05.03.24", "1.190,00", "19,00"]) is Style.COMMA
    assert decimal_style(["12.50", "1,000.00", "3,5"]) is Style.POINT
    assert decimal_style([]) is Style.POINT


def test_whole_amounts_show_the_style_where_no_decimals_do() -> None:
    assert decimal_style(["Total", "12.100", "2.000", "3"]) is Style.COMMA
    assert decimal_style(["Total", "12,100", "2,000", "3"]) is Style.POINT
    assert decimal_style(["0.125", "192.168.1.1", "12.3456"]) is Style.POINT


@pytest.mark.parametrize("style", Style)
def test_a_sum_has_no_three_decimals_in_most_currencies(style: Style) -> None:
    assert parse_number("12.100", style, thousandths=False) == Decimal(12100)
    assert parse_number("12,100 EUR", style, thousandths=False) == Decimal(12100)
    assert parse_number("0.125", style, thousandths=False) == Decimal("0.125")
    assert parse_number("1234.125", style, thousandths=False) == Decimal("1234.125")
    assert parse_number("12.10", style, thousandths=False) == Decimal("12.10")


def test_some_currencies_have_three_decimals() -> None:
    assert uses_three_decimals(["Total", "KWD", "12.100"])
    assert uses_three_decimals(["BHD12.100"])
    assert not uses_three_decimals(["Total", "EUR", "12.100", "kwd"])


@pytest.mark.parametrize(("text", "value"), [("1.00-F", "-1.00"), ("3.49-T", "-3.49"), ("1.00F", "1.00")])
def test_a_tills_code_may_follow_the_sign(text: str, value: str) -> None:
    assert parse_number(text, Style.POINT) == Decimal(value)


def test_what_ends_in_two_digits_here_and_there_is_no_decimal_point() -> None:
    assert (
        decimal_style(["P.2.0091834.05.01", "28.000", "56.000", "9.350", "19.635", "187.000", "216.000"]) is Style.COMMA
    )


@pytest.mark.parametrize(
    ("words", "printed", "value"),
    [
        (["KWD", "12.500", "3.250"], "1,015.750", "1015.750"),
        (["BHD", "12.500"], "12.500", "12.500"),
        (["TND", "12,500", "3,250"], "1.012,500", "1012.500"),
    ],
)
def test_three_decimals_are_read_where_a_currency_has_them(words: list[str], printed: str, value: str) -> None:
    assert parse_number(printed, decimal_style(words)) == Decimal(value)


def test_rates_do_not_show_the_notation_of_amounts() -> None:
    assert decimal_style(["PPn", "11.00", "%", "10.00%", "750.000", "1.200.000"]) is Style.COMMA
