"""Vendors are compared without case, spacing, punctuation and legal form; everything else exactly."""

from decimal import Decimal

import pytest

from serve_app.domain.duplicates import duplicate_key, normalise_vendor
from tests.support import make_invoice


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ACME GmbH", "acme gmbh"),
        ("ACME GmbH", "Acme"),
        ("Acme, Inc.", "ACME INC"),
        ("A.C.M.E. Ltd", "ACME Limited"),
        ("Müller & Söhne GmbH & Co. KG", "Müller Söhne"),
        ("Foo-Bar S.A.R.L.", "Foo Bar"),
        ("Foo S. A.", "Foo"),
        ("Polska Sp. z o.o.", "Polska"),
        ("O\u2019Neill plc", "O'Neill"),
        ("PT Maju Jaya Tbk", "Maju Jaya Tbk"),
        ("\uff21\uff23\uff2d\uff25", "ACME"),
        ("ABC  GmbH ", "AB C"),
    ],
)
def test_the_same_vendor(one: str, other: str) -> None:
    assert normalise_vendor(one) == normalise_vendor(other)


@pytest.mark.parametrize(("one", "other"), [("Acme", "Acne"), ("Muller", "Müller"), ("AG", "SA"), ("Shop 1", "Shop 2")])
def test_different_vendors(one: str, other: str) -> None:
    assert normalise_vendor(one) != normalise_vendor(other)


@pytest.mark.parametrize("name", ["", " ", "...", "&"])
def test_nothing_is_left_of_marks(name: str) -> None:
    assert normalise_vendor(name) == ""


def key(vendor: str | None = "ACME", number: str | None = "R-1", amount: str | None = "10") -> str | None:
    values = {"vendor_name": vendor, "invoice_number": number, "amount": None if amount is None else Decimal(amount)}
    return duplicate_key(make_invoice().model_copy(update=values))


def test_amounts_are_equal_by_value() -> None:
    assert key(amount="100") == key(amount="100.00") == key(amount="1E+2")
    assert key(amount="-0.00") == key(amount="0")
    assert key(amount="100.01") != key(amount="100")


def test_numbers_are_equal_by_spelling() -> None:
    assert key(number="R-1") != key(number="r-1")
    assert key(number="R-1") != key(number="R1")


def test_a_missing_part_means_no_key() -> None:
    assert key() is not None
    assert [key(vendor=None), key(vendor="--"), key(number=None), key(number=""), key(amount=None)] == [None] * 5
