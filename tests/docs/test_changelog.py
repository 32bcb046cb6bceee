"""The changelog: versions, newest first, and one short line for each change."""

import re

from tests.docs.pages import ROOT

TEXT = (ROOT / "CHANGELOG.md").read_text()


def test_new_lines_have_a_place_on_top_and_each_version_has_its_date() -> None:
    first, *versions = re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
    assert first == "[Unreleased]"
    assert versions.pop() == "Before 1.0"
    dates = [re.fullmatch(r"\[\d+\.\d+\.\d+\] - (\d{4}-\d\d-\d\d)", version) for version in versions]
    assert all(dates)
    found = [date[1] for date in dates if date]
    assert found == sorted(found, reverse=True)


def test_a_change_is_one_line() -> None:
    changes = TEXT.partition("\n## ")[2].splitlines()
    assert [line for line in changes if line.startswith("- ") and len(line) > 140] == []
    assert [line for line in changes if re.match(r"\s+\S", line)] == []
