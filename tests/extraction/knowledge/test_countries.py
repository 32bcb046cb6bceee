"""What the file of a country says is found on its pages."""

from collections.abc import Iterator

import pytest
from babel import Locale
from pydantic import ValidationError

from serve_app.extraction.currency.countries import home_currencies
from serve_app.extraction.currency.currencies import CODES
from serve_app.extraction.knowledge import Country, countries


def examples() -> Iterator[object]:
    for code, country in countries().items():
        for sample in country.examples:
            yield pytest.param(country.currency, sample.text, id=f"{code}: {sample.text}")


@pytest.mark.parametrize(("currency", "text"), list(examples()))
def test_an_example_shows_the_currency_of_its_country(currency: str, text: str) -> None:
    assert set(home_currencies([text])) == {currency}


@pytest.mark.parametrize("code", countries())
def test_a_country_has_its_code_in_iso_3166_and_an_example(code: str) -> None:
    assert code.upper() in Locale("en").territories
    assert countries()[code].currency in CODES
    assert countries()[code].examples


@pytest.mark.parametrize(
    "content",
    [
        {"currency": "Euro", "examples": []},
        {"currency": "EUR", "examples": [], "tax": ["VAT"]},
        {"currency": "EUR", "examples": [], "signs": [{"place": ["Rome"]}]},
    ],
    ids=["no code of ISO 4217", "unknown key", "unknown kind of sign"],
)
def test_a_mistake_in_a_file_is_refused(content: object) -> None:
    with pytest.raises(ValidationError):
        Country.model_validate(content)
