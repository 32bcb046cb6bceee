"""What people type and documents print, as the scripts of the review screen understand it."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from babel import Locale, localedata
from playwright.sync_api import Page

from serve_app.web.formats import Formats
from serve_app.web.static import static_path
from tests.browser.conftest import Visit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MONEY = {
    "1.190,50": "1190.50",
    "1,190.50": "1190.50",
    "1 190,50 €": "1190.50",
    "USD380.34": "380.34",
    "CHF 1'234.50": "1234.50",
    "1.190": "1190",
    "12,5": "12.5",
    "0.480": "0.480",
    "(12.00)": "-12.00",
    "12.00-": "-12.00",
    "1.234.567": "1234567",
    "RE-2026": None,
    "SEO 4": None,
    "20%": None,
    "1.2.3": None,
    "1.19,050": None,
    "17.05.2026": None,
}
NUMBERS = {"1.190": "1.190", "19 %": "19", "4,355": "4.355"}
DAYS = {
    "17.05.2026": "2026-05-17",
    "05/17/2026": "2026-05-17",
    "03/04/2026": "2026-04-03",
    "17. Mai 2026": "2026-05-17",
    "May 17, 2026": "2026-05-17",
    "1er février 2026": "2026-02-01",
    "30-Apr-19": "2019-04-30",
    "31.02.2026": None,
    "1.190,50": None,
}


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit("/app/")


def run(page: Page, module: str, code: str, *values: Any) -> Any:
    """The value of an expression with the module's functions as `m`, and the values as `v`."""
    script = f"async ([path, v]) => {{ const m = await import(path); return {code}; }}"
    return page.evaluate(script, [static_path(f"review/{module}.js"), list(values)])


def test_numbers_and_days_of_many_countries(page: Page) -> None:
    assert run(page, "values", "Object.fromEntries(v.map((t) => [t, m.number(t)]))", *MONEY) == MONEY
    assert run(page, "values", "Object.fromEntries(v.map((t) => [t, m.number(t, false)]))", *NUMBERS) == NUMBERS
    assert run(page, "values", "Object.fromEntries(v.map((t) => [t, m.day(t)]))", *DAYS) == DAYS
    assert run(page, "values", "m.day('03/04/2026', true)") == "2026-03-04"


TYPED_NUMBERS = [
    *("1.234", "1,234", "1.234,50", "1,234.50", "1 190,50 €", "1’234.5", "12,34,567.89", "-12,5", "(12.00)", "12.00-"),
    *(
        "0.125",
        "1234.567",
        "1.234.567",
        "1.19,050",
        "19 %",
        "CHF 5",
        "RE-2026",
        "17.05.2026",
        "۱۲۳۴",
        "١٢٫٥",
        "380,",
        "",
    ),
]
TYPED_DAYS = [
    *(
        "3/4/2025",
        "17/05/2026",
        "25/3/4",
        "2026-05-17",
        "17. Mai 2026",
        "May 17, 2026",
        "1er février 2026",
        "30-Apr-19",
    ),
    *("17 de mayo de 2026", "2026年5月17日", "31.02.2026", "3/4-2025", "17 constructor 2026", "17.05", "x" * 61, "1,5"),
]


def test_scripts_read_what_is_typed_as_the_service_does(page: Page) -> None:
    for language in localedata.locale_identifiers():
        formats = Formats(Locale.parse(language))
        notation, written = formats.notation, [Decimal("1234567.89"), Decimal("-0.5"), Decimal("1.234")]
        numbers = [*TYPED_NUMBERS, *(formats.number(number) for number in written)]
        days = [*TYPED_DAYS, *(formats.day(date(2026, month, 2 * month)) for month in range(1, 13))]
        code = "[v[1].map((t) => m.readNumber(t, v[0])), v[2].map((t) => m.readDate(t, v[0]))]"
        found = run(page, "notation", code, notation.data, numbers, days)
        read = [notation.read_number(text) for text in numbers]
        assert [each and Decimal(each) for each in found[0]] == read, language
        assert found[1] == [day and day.isoformat() for day in map(notation.read_date, days)], language


def test_sums_are_exact(page: Page) -> None:
    lines = [{"total": "0.10"}, {"total": "0.20"}, {"quantity": "3", "unit_price": "0.10"}]
    found = run(page, "sums", "m.checks({amount: '0.60', tax: '0'}, v)", *lines)
    assert found == [
        {"left": "Lines", "right": "net", "found": "0.60", "wanted": "0.60", "difference": "0.00", "holds": True}
    ]
    (missing,) = run(page, "sums", "m.checks({amount: '119', tax: '19.00', subtotal: '90'}, [])")
    assert (missing["difference"], missing["holds"]) == ("-10.00", False)


def word(text: str, left: float, top: float = 0.1) -> dict[str, Any]:
    return {"text": text, "box": [left, top, left + 0.04, top + 0.01]}


def test_what_is_typed_is_found_on_the_page(page: Page) -> None:
    words = [word("Total", 0.1), word("1", 0.5), word("190,50", 0.545), word("EUR", 0.6), word("19", 0.1, 0.2)]
    (place,) = run(page, "words", "m.find([[2, v]], 'money', '1190.5', {})", *words)
    assert (place["page"], place["text"]) == (2, "1 190,50 EUR")
    assert place["box"] == pytest.approx([0.5, 0.1, 0.64, 0.11])
    dates = [word("17.", 0.1), word("Mai", 0.145), word("2026", 0.19), word("17.", 0.1, 0.9)]
    (place,) = run(page, "words", "m.find([[1, v]], 'date', '2026-05-17', {})", *dates)
    assert place["text"] == "17. Mai 2026"
    names = [word("ACME", 0.1), word("Ltd", 0.145), word("Berlin", 0.19)]
    (place,) = run(page, "words", "m.find([[1, v]], 'text', 'Acme Ltd', {})", *names)
    assert place["text"] == "ACME Ltd"


def test_rows_are_merged_split_and_taken_from_columns(page: Page) -> None:
    first = {"description": "Ink,", "quantity": "1", "unit_price": "5", "total": "5.00", "tax_rate": None}
    second = {"description": "black", "quantity": None, "unit_price": None, "total": "2.50", "tax_rate": "19"}
    merged = run(page, "rows", "m.merged(v[0], v[1])", first, second)
    assert merged == {
        "description": "Ink, black",
        "quantity": "1",
        "unit_price": "5",
        "total": "7.50",
        "tax_rate": "19",
    }
    left, right = run(page, "rows", "m.split(v[0], 4)", merged)
    assert (left["description"], left["total"], right["description"], right["total"]) == ("Ink,", "7.50", "black", None)
    column = [word("Each", 0.5, 0.1), word("4.35", 0.5, 0.2), word("1", 0.5, 0.3), word("000,00", 0.545, 0.3)]
    assert run(page, "rows", "m.columnOf(v, 'money', {})", *column) == ["4.35", "1 000,00"]
