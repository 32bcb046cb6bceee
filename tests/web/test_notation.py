"""Numbers and dates as people type them in their language."""

from datetime import date
from decimal import Decimal

import pytest
from babel import Locale, localedata
from hypothesis import given, settings
from hypothesis import strategies as st

from serve_app.web.formats import Formats, formats_of
from serve_app.web.review.entries import read_entry, write_entry
from serve_app.web.review.fields import Kind

LANGUAGES = sorted(localedata.locale_identifiers())
NUMBERS = st.decimals(min_value=-(10**12), max_value=10**12, places=4, allow_nan=False) | st.decimals(
    min_value=-(10**6), max_value=10**6, places=2, allow_nan=False
)
# The first reading in a language loads its names.
in_time = settings(deadline=None)
DAYS = st.dates(date(1990, 1, 1), date(2099, 12, 31))


def read(kind: Kind, text: str, formats: Formats) -> str | None:
    return read_entry(kind, text, "Value", formats)


@in_time
@given(st.sampled_from(LANGUAGES), NUMBERS, st.sampled_from([Kind.MONEY, Kind.NUMBER]))
def test_numbers_are_read_back_as_they_are_written_in_every_language(
    language: str, number: Decimal, kind: Kind
) -> None:
    formats = Formats(Locale.parse(language))
    text = write_entry(kind, format(number, "f"), formats, "EUR")
    assert Decimal(read(kind, text, formats) or "") == number


@in_time
@given(st.sampled_from(LANGUAGES), DAYS)
def test_dates_are_read_back_as_they_are_written_in_every_language(language: str, day: date) -> None:
    formats = Formats(Locale.parse(language))
    assert read(Kind.DATE, write_entry(Kind.DATE, day.isoformat(), formats), formats) == day.isoformat()


@in_time
@given(st.sampled_from(LANGUAGES), DAYS, NUMBERS.filter(lambda number: number != number.quantize(Decimal("0.001"))))
def test_iso_dates_and_plain_decimals_are_read_in_every_language(language: str, day: date, number: Decimal) -> None:
    notation = Formats(Locale.parse(language)).notation
    assert notation.read_date(day.isoformat()) == day
    assert notation.read_number(format(number, "f")) == number


@pytest.mark.parametrize(
    ("language", "text", "number"),
    [
        ("de", "1.234", "1234"),
        ("en", "1,234", "1234"),
        ("en", "1.234", "1.234"),
        ("de", "1,234", "1.234"),
        ("de", "1.234,50", "1234.50"),
        ("de", "1,234.50", "1234.50"),
        ("en-US", "1.234,50", "1234.50"),
        ("de", "1234.567", "1234.567"),
        ("de", "0.125", "0.125"),
        ("en", "12,5", "12.5"),
        ("fr", "1 190,50 €", "1190.50"),
        ("fr", "1190.50", "1190.50"),
        ("de-CH", "CHF 1’234.50", "1234.50"),
        ("hi-IN", "12,34,567.89", "1234567.89"),
        ("en", "1.234.567", "1234567"),
        ("sv", "\N{MINUS SIGN}12,50", "-12.50"),
        ("en", "(12.00)", "-12.00"),
        ("en", "12.00-", "-12.00"),
        ("fa", "۱۲۳۴", "1234"),
        # The language uses the sign for nothing, so that it could be either.
        ("fr", "1.234", None),
        ("de-CH", "1,234", None),
        ("de", "1.19,050", None),
        ("de", "1.2.3", None),
        ("en", "RE-2026", None),
        ("en", "17.05.2026", None),
        ("en", "EUR 5 USD", None),
        ("en", "9" * 61, None),
        ("en", "", None),
    ],
)
def test_a_number_is_read_in_the_language_of_who_types_it(language: str, text: str, number: str | None) -> None:
    assert formats_of(language).notation.read_number(text) == (number and Decimal(number))


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("en-GB", "3/4/2025", "2025-04-03"),
        ("en-US", "3/4/2025", "2025-03-04"),
        ("de", "3/4/2025", "2025-04-03"),
        ("de", "3.4.25", "2025-04-03"),
        ("ja", "3/4/2025", "2025-03-04"),
        ("ja", "25/3/4", "2025-03-04"),
        ("en-US", "17/05/2026", "2026-05-17"),
        ("de", "2026-05-17", "2026-05-17"),
        ("de", "17. Mai 2026", "2026-05-17"),
        ("en", "17. Mai 2026", "2026-05-17"),
        ("de", "May 17, 2026", "2026-05-17"),
        ("fr", "1er février 2026", "2026-02-01"),
        ("fr", "1 fevrier 2026", "2026-02-01"),
        ("es", "17 de mayo de 2026", "2026-05-17"),
        ("en", "30-Apr-19", "2019-04-30"),
        ("zh", "2026年5月17日", "2026-05-17"),
        ("he", "17 במאי 2026", "2026-05-17"),
        ("de", "31.02.2026", None),
        ("de", "3/4-2025", None),
        ("de", "1.190,50", None),
        ("de", "17 constructor 2026", None),
        ("de", "17.05", None),
        ("de", "17.05.026", None),
        ("de", "", None),
    ],
)
def test_a_date_is_read_in_the_language_of_who_types_it(language: str, text: str, day: str | None) -> None:
    assert formats_of(language).notation.read_date(text) == (day and date.fromisoformat(day))


@in_time
@given(st.sampled_from(LANGUAGES), st.text(max_size=70))
def test_any_text_is_read_or_refused(language: str, text: str) -> None:
    notation = Formats(Locale.parse(language)).notation
    assert isinstance(notation.read_number(text), Decimal | None)
    assert isinstance(notation.read_date(text), date | None)


@pytest.mark.parametrize(
    ("text", "is_ambiguous"),
    [("1.234", True), ("1,234 EUR", True), ("3/4/2025", True), ("03.04.25", True)]
    + [(text, False) for text in ("1.234,5", "12.5", "1.234.567", "0.125", "17/5/2025", "4/4/2025", "2025-03-04", "x")],
)
def test_what_other_languages_read_differently_is_ambiguous(text: str, is_ambiguous: bool) -> None:
    assert formats_of("en").notation.is_ambiguous(text) is is_ambiguous
