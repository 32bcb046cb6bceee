"""A number of which a part may stand beside it, or with more decimals than its currency has, is not certain."""

from decimal import Decimal

import pytest

from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.reading import Reading
from serve_app.extraction.evidence import gather
from serve_app.extraction.reconcile.scale import has_possible_decimals, has_rest
from tests.extraction.pages import reading_of

LETTER, HEIGHT = 0.01, 0.02


def rest_of(*texts: tuple[str, float], chosen: int) -> bool:
    """Words of a line, each with the gap before it in heights of its letters: has the chosen one a rest beside it?"""
    words, left = [], 0.1
    for text, gap in texts:
        left += gap * HEIGHT
        words.append(Word(text, Box(left, 0.5, left + LETTER * len(text), 0.5 + HEIGHT)))
        left += LETTER * len(text)
    (page,) = gather(Document((Page(1, 600.0, 600.0, tuple(words)),)), *readings(len(words)))
    return has_rest(page, (chosen,))


def readings(count: int) -> tuple[Reading]:
    line = " ".join("x" for _ in range(count))
    return (reading_of((line,)),)


def test_thousands_apart_from_the_rest_are_a_rest() -> None:
    assert rest_of(("Total", 0), ("1", 2), ("234,50", 0.3), chosen=2)
    assert rest_of(("Total", 0), ("1", 2), ("234", 0.3), ("500", 0.3), chosen=2)


def test_digits_that_touch_a_number_are_a_rest() -> None:
    assert rest_of(("Total", 0), ("61.40", 2), ("2", 0.05), chosen=1)


@pytest.mark.parametrize("before", ["20%", "Total", "(3)"])
def test_what_is_no_group_of_digits_is_none(before: str) -> None:
    assert not rest_of((before, 0), ("234.50", 0.3), chosen=1)


def test_a_number_in_another_column_is_none() -> None:
    assert not rest_of(("2", 0), ("234.50", 3), ("469.00", 3), chosen=1)


@pytest.mark.parametrize(
    ("amount", "currency", "is_possible"),
    [
        ("5868.001", "GBP", False),
        ("5868.00", "JPY", True),
        ("58.68", "JPY", False),
        ("58.680", "GBP", True),
        ("58.685", "KWD", True),
        ("58.685", None, False),
        ("1E+3", "GBP", True),
    ],
)
def test_a_sum_has_no_more_decimals_than_its_currency(amount: str, currency: str | None, is_possible: bool) -> None:
    assert has_possible_decimals(Decimal(amount), currency) == is_possible
