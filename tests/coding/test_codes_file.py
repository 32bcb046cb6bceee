"""Codes are read from the files that ledgers export, with each wrong line named."""

import pytest

from serve_app.coding.codes_file import decoded, parse_codes, previews_of, with_codes
from serve_app.coding.starting_charts import STARTING_CHARTS, starting_chart
from serve_app.domain.chart import NO_CHART, Chart, ChartCode
from serve_app.domain.errors import InvalidParameter


def codes(text: str, key: str = "account") -> list[tuple[str, str, bool]]:
    file = parse_codes(text, "account")
    assert not file.problems
    return [(code.code, code.name, code.active) for code in file.codes[key]]


@pytest.mark.parametrize(
    "text",
    [
        "code,name\n4930,Office supplies\n",
        "Konto;Bezeichnung\n4930;Office supplies\n\n",
        "Name\tNumber\nOffice supplies\t 4930 \n",
        "*Code,*Name,*Type\n4930,Office supplies,Expense\n",
        '"code","name"\r\n"4930","Office supplies"\r\n',
    ],
)
def test_the_header_says_which_columns_there_are(text: str) -> None:
    assert codes(text) == [("4930", "Office supplies", True)]


def test_codes_can_be_inactive_and_of_several_dimensions() -> None:
    text = "dimension,code,name,active\n,1,One,yes\ncost_center,10,North,no\n"
    assert codes(text) == [("1", "One", True)]
    assert codes(text, "cost_center") == [("10", "North", False)]


def test_leading_zeros_stay() -> None:
    assert codes("code\n0420\n") == [("0420", "", True)]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", ["line 1: there is no column `code`, such as `code;name`"]),
        ("4930;Office\n", ["line 1: there is no column `code`, such as `code;name`"]),
        ("code\n", ["line 2: there are no codes"]),
        (
            f"code,active\n1,yes\n,yes\n1,no\n{'9' * 41},no\n2,perhaps\n",
            [
                "line 3: the code is empty",
                "line 4: the code 1 is there twice",
                "line 5: the code has more than 40 characters",
                "line 6: `perhaps` is neither yes nor no",
            ],
        ),
    ],
)
def test_each_wrong_line_is_named(text: str, problems: list[str]) -> None:
    file = parse_codes(text, "account")
    assert file.problems == problems
    with pytest.raises(InvalidParameter, match="line"):
        with_codes(NO_CHART, file, replaces=False)


def test_files_of_windows_programs_are_read() -> None:
    assert decoded("code;Bürobedarf".encode("cp1252")) == decoded(b"\xef\xbb\xbf" + "code;Bürobedarf".encode())


class TestImport:
    CHART = with_codes(NO_CHART, parse_codes("code,name\n1,One\n2,Two\n3,Three\n", "account"), replaces=False)
    FILE = parse_codes("code,name\n2,Two\n3,Drei\n4,Four\n", "account")

    @staticmethod
    def active(chart: Chart) -> dict[str, bool]:
        (dimension,) = chart.dimensions
        return {code.code: code.active for code in dimension.codes}

    def test_the_preview_says_what_would_change(self) -> None:
        (preview,) = previews_of(self.CHART, self.FILE)
        assert [code.code for code in preview.added] == ["4"]
        assert preview.changed == [ChartCode(code="3", name="Drei")]
        assert preview.unchanged == 1
        assert [code.code for code in preview.missing] == ["1"]

    def test_codes_that_are_not_in_the_file_stay_or_become_inactive(self) -> None:
        merged, replaced = (with_codes(self.CHART, self.FILE, replaces=replaces) for replaces in (False, True))
        assert self.active(merged) == {"1": True, "2": True, "3": True, "4": True}
        assert self.active(replaced) == {"1": False, "2": True, "3": True, "4": True}

    def test_a_new_dimension_has_its_usual_name(self) -> None:
        chart = with_codes(
            NO_CHART, parse_codes("code,dimension\n1,cost_center\n2,own_one\n", "account"), replaces=False
        )
        assert [each.name for each in chart.dimensions] == ["Cost centres", "Own one"]


@pytest.mark.parametrize("name", STARTING_CHARTS)
def test_starting_charts_can_be_imported(name: str) -> None:
    chart = with_codes(NO_CHART, starting_chart(name), replaces=False)
    assert len(chart.dimensions[0].codes) > 20
