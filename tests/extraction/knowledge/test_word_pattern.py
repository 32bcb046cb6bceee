"""Patterns name lists of words, which the files of all languages and countries have."""

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest

from serve_app import extraction
from serve_app.extraction.knowledge import WordPattern


def patterns() -> Iterator[object]:
    for module in pkgutil.walk_packages(extraction.__path__, f"{extraction.__name__}."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, WordPattern):
                yield pytest.param(value, id=f"{module.name.removeprefix(extraction.__name__)}.{name}")


@pytest.mark.parametrize("pattern", list(patterns()))
def test_each_list_that_a_pattern_names_has_words(pattern: WordPattern) -> None:
    pattern.search("")  # compiles it, which raises if a list is unknown or empty


class TestAPattern:
    def test_has_the_words_of_all_languages(self) -> None:
        articles = WordPattern("^{connectives.articles} [A-Z]", re.NOFLAG)
        assert articles.match("the Akme")
        assert articles.match("der Akme")
        assert not articles.match("the akme")

    def test_has_what_countries_list(self) -> None:
        assert WordPattern("{countries.general_partners}").search("Akme Verwaltungs GmbH")

    def test_has_the_words_of_several_lists(self) -> None:
        titles = WordPattern("{parties.titles|parties.degrees}")
        assert titles.fullmatch("Frau")
        assert titles.fullmatch("Dipl")

    @pytest.mark.parametrize("text", ["t.a.v", "tav", "T.A.V", "Propriétaire", "proprietaire", "handelsnaam"])
    def test_finds_words_as_they_may_be_read(self, text: str) -> None:
        assert WordPattern("{parties.person|names.owner|statements.brand}").fullmatch(text)

    def test_has_words_as_parts_of_longer_ones(self) -> None:
        assert WordPattern("{pages.word*}2").fullmatch("Seite2")
        assert WordPattern("{*pages.sum*}").search("Subtotals")
        assert not WordPattern("{pages.sum}").search("Subtotals")

    def test_keeps_repetitions_of_a_regular_expression(self) -> None:
        assert WordPattern(r"{connectives.of} \d{2,3}").fullmatch("of 123")

    @pytest.mark.parametrize(
        "template", ["{parties.buyers}", "{party.buyer}", "{columns.sums}", "{parties.buyer*|parties.payee}"]
    )
    def test_names_no_list_that_files_do_not_have(self, template: str) -> None:
        with pytest.raises((AttributeError, ValueError)):
            WordPattern(template).search("")
