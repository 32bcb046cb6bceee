"""What the file of a language says is read in its documents."""

import re
from collections.abc import Iterator
from operator import attrgetter

import pytest
from babel import Locale
from pydantic import ValidationError

from serve_app.domain.labels import Label
from serve_app.extraction.captions.find import find_captions
from serve_app.extraction.dates.dates import Order, find_dates
from serve_app.extraction.knowledge import Column, Example, Language, languages, loose_pattern_of
from serve_app.extraction.parties.headings import heading_alone
from serve_app.extraction.split.titles import names_invoice, names_other_document
from serve_app.extraction.tables.captions import Meaning, meaning_of, tokens
from tests.extraction.pages import document_of

COLUMNS = {
    Column.DESCRIPTION: Meaning(frozenset({Label.LINE_DESCRIPTION})),
    Column.QUANTITY: Meaning(frozenset({Label.LINE_QUANTITY})),
    Column.UNIT_PRICE: Meaning(frozenset({Label.LINE_UNIT_PRICE})),
    Column.TOTAL: Meaning(frozenset({Label.LINE_TOTAL})),
    Column.TAX: Meaning(frozenset(), is_tax=True),
    Column.OTHER: Meaning(frozenset()),
}


def examples() -> Iterator[object]:
    for code, language in languages().items():
        yield from (pytest.param(language, example, id=f"{code}: {example.text}") for example in language.examples)


@pytest.mark.parametrize(("language", "example"), list(examples()))
def test_a_line_means_what_its_example_says(language: Language, example: Example) -> None:
    document = document_of([example.text]).pages[0]

    if example.caption:
        assert example.caption in find_captions(document.words)[0].meanings
    if example.column:
        assert meaning_of(tuple(tokens(example.text))) == COLUMNS[example.column]
    if example.party:
        assert heading_alone(example.text) == example.party
    if example.document:
        assert names_invoice(example.text) == (example.document == "invoice")
        assert names_other_document(example.text) == (example.document == "other")
    if example.words:
        assert re.search(loose_pattern_of(attrgetter(example.words)(language)), example.text, re.IGNORECASE)
    if example.date:
        assert [found.value(Order.DAY_FIRST) for found in find_dates(example.text)] == [example.date]


@pytest.mark.parametrize("code", languages())
def test_a_language_has_its_code_in_cldr_and_an_example(code: str) -> None:
    assert code == "mul" or Locale.parse(code).language == code
    assert languages()[code].examples


@pytest.mark.parametrize(
    "content",
    [
        {"examples": [], "caption": {"total": ["total"]}},
        {"examples": [], "captions": {"totals": ["total"]}},
        {"examples": [], "captions": {"total": ["total", "total"]}},
        {"examples": [], "captions": {"number": [False]}},
        {"captions": {"total": ["total"]}},
    ],
    ids=["unknown key", "unknown caption", "a phrase twice", "an unquoted no", "without examples"],
)
def test_a_mistake_in_a_file_is_refused(content: object) -> None:
    with pytest.raises(ValidationError):
        Language.model_validate(content)
