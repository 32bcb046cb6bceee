"""Values of documents that are measured with do not enter code or tests."""

import json
from pathlib import Path

import pytest

from scripts.check_measured_values import checked_files, measured_values, repeated

TRUTH = {
    "vendor_name": "Kornblum Gartenbau",
    "_vendor_alt": ["Kornblum"],
    "invoice_number": "KG-2024/117",
    "issued_at": "2024-05-02",
    "doc_type": "credit_note",
    "line_items": [{"description": "Rasen mähen"}],
}


@pytest.fixture
def values(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "one.json").write_text(json.dumps(TRUTH))
    return measured_values(tmp_path)


def test_names_and_numbers_count_and_what_stands_in_any_document_does_not(values: dict[str, str]) -> None:
    assert values == {"Kornblum Gartenbau": "one.json", "KG-2024/117": "one.json"}


def test_a_value_in_a_comment_or_a_test_is_refused_with_its_place(tmp_path: Path, values: dict[str, str]) -> None:
    module = tmp_path / "module.py"
    module.write_text('NAME = "Kornblum Gartenbauer"\n# "KG-2024/117" has a slash.\n')
    (line,) = repeated(module, values)
    assert line == f"{module}:2: KG-2024/117 is in the measured document one.json: write an invented value"


def test_code_and_the_files_of_knowledge_are_checked(tmp_path: Path) -> None:
    for name in ("names.py", "de.yaml", "picture.png"):
        (tmp_path / name).touch()
    assert [path.name for path in checked_files(tmp_path)] == ["de.yaml", "names.py"]
