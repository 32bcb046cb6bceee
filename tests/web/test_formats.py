"""Values as the reader's locale writes them."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from serve_app.web.formats import formats_of


@pytest.mark.parametrize(
    ("language", "amount", "day"),
    [
        ("de-DE,de;q=0.9", "1.234,50 EUR", "01.02.2026"),
        ("en-US", "1,234.50 EUR", "Feb 1, 2026"),
        ("en", "1,234.50 EUR", "1 Feb 2026"),
        ("", "1,234.50 EUR", "1 Feb 2026"),
        ("xx-unknown, fr;q=0.5", "1\u202f234,50 EUR", "1 févr. 2026"),
        ("*;q=broken", "1,234.50 EUR", "1 Feb 2026"),
    ],
)
def test_money_and_days(language: str, amount: str, day: str) -> None:
    formats = formats_of(language)
    assert formats.money(Decimal("1234.5"), "EUR") == amount
    assert formats.day(date(2026, 2, 1)) == day


def test_money_keeps_the_decimals_of_its_currency() -> None:
    formats = formats_of("en")
    assert formats.money(Decimal("1200"), "JPY") == "1,200 JPY"
    assert formats.money(Decimal("0.125"), "EUR") == "0.125 EUR"
    assert formats.money(Decimal("-3"), "KWD") == "-3.000 KWD"
    assert formats.money(Decimal("7.5"), None) == "7.5"
    assert formats.money(None, "EUR") == "–"


def test_moments_name_their_zone() -> None:
    moment = datetime(2026, 2, 1, 9, 5, 7, tzinfo=UTC)
    assert formats_of("en").moment(moment) == "1 Feb 2026, 09:05 UTC"
    assert formats_of("en").moment(moment, seconds=True) == "1 Feb 2026, 09:05:07 UTC"


def test_sizes() -> None:
    assert [formats_of("en").bytes(size) for size in (1, 1500, 2_345_678)] == ["1 kB", "2 kB", "2.3 MB"]
