"""Amounts of split lines always add up."""

from decimal import Decimal

import pytest

from serve_app.domain.coding import allocate, share_of


@pytest.mark.parametrize(
    ("total", "shares", "amounts"),
    [
        ("100.00", ("33.3333", "33.3333", "33.3334"), ("33.33", "33.33", "33.34")),
        ("0.01", ("50", "50"), ("0.00", "0.01")),
        ("-10", ("33", "67"), ("-3.30", "-6.70")),
        ("1.0005", ("50", "50"), ("0.5002", "0.5003")),
        ("999999999999.99", ("0.0001", "99.9999"), ("1000000.00", "999998999999.99")),
        ("0.1234567890123456789012345", ("50", "50"), ("0.061728", "0.0617287890123456789012345")),
    ],
)
def test_each_share_is_rounded_and_the_last_takes_what_is_left(
    total: str, shares: tuple[str, ...], amounts: tuple[str, ...]
) -> None:
    found = allocate(Decimal(total), [Decimal(share) for share in shares])
    assert found == [Decimal(amount) for amount in amounts]
    assert sum(amount or Decimal(0) for amount in found) == Decimal(total)


def test_without_a_total_there_are_no_amounts() -> None:
    assert allocate(None, [Decimal(50), Decimal(50)]) == [None, None]


@pytest.mark.parametrize(("amount", "total"), [("0.01", "999999999.99"), ("33.34", "100"), ("1", "3"), ("-1", "7")])
def test_the_share_of_an_amount_is_that_amount_again(amount: str, total: str) -> None:
    share = share_of(Decimal(amount), Decimal(total))
    assert allocate(Decimal(total), [share, 100 - share])[0] == Decimal(amount)
