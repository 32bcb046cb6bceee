"""Decision records: titled by what was decided, dated, and found in an index by topic."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import RECORDS, links_of

RECORD_FILES = sorted(path for path in RECORDS.glob("[0-9]*.md") if not path.name.startswith("0000"))


@pytest.mark.parametrize("record", RECORD_FILES, ids=lambda path: path.stem[:4])
def test_a_record_is_named_by_its_title_and_says_date_and_status(record: Path) -> None:
    heading, _, dated, *_ = record.read_text().splitlines()
    found = re.fullmatch(r"# (\d{4})\. ([A-Z].*)", heading)
    assert found is not None
    title = re.sub(r"[^a-z0-9]+", "-", found[2].lower().replace("'", "")).strip("-")
    assert record.stem == f"{found[1]}-{title}"
    assert re.match(r"Date: \d{4}-\d\d-\d\d\. Status: (proposed|accepted|superseded)\b", dated)


def test_the_index_lists_every_record_with_its_title() -> None:
    index = RECORDS / "README.md"
    assert set(links_of(index)) == {"0000-template.md", *(record.name for record in RECORD_FILES)}
    titles = {record.read_text().splitlines()[0].partition(". ")[2] for record in RECORD_FILES}
    assert [title for title in titles if title not in index.read_text()] == []


def test_records_that_are_superseded_name_what_replaces_them() -> None:
    for record in RECORD_FILES:
        status = record.read_text().splitlines()[2]
        if "superseded" in status or "replaces" in status:
            assert re.search(r"\]\(\d{4}-", status), record.name
