"""Patterns in code list no words of languages."""

import pytest

from scripts.check_word_lists import listed_words


class TestListedWords:
    @pytest.mark.parametrize(
        "code",
        [
            r'_TITLE = re.compile(r"(?:mr|mrs|dr)\.?")',
            r'_TITLE = re.compile(rf"{_START}(?:herrn?|frau) ")',
            r'_DUE = WordPattern(r"{terms.due}|(?:pay(?:able)?|due)\b")',
            '_SIGNS = "収入|支出"',
        ],
    )
    def test_finds_alternatives_of_words(self, code: str) -> None:
        assert [line for line, _ in listed_words(code)] == [1]

    @pytest.mark.parametrize(
        "code",
        [
            '_TITLE = WordPattern("{parties.titles|parties.degrees}")',
            r'_GAP = re.compile(r"\d\d|\s{2}|[a-z]|\bx|-")',
            '_FILE = re.compile("pdf|xml")',
            '"""Several: one|two."""',
        ],
    )
    def test_leaves_what_is_no_list_of_words(self, code: str) -> None:
        assert list(listed_words(code)) == []
