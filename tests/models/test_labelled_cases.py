"""What labelled documents tell about a model, and what they do not."""

import json
from pathlib import Path
from typing import Any

import pytest

from models.evaluation.calibrate import without_disputed
from models.evaluation.labelled_cases import case_of
from models.evaluation.observations import Observation
from models.training.real import read_real
from tests.models.test_real_documents import line, write

WHOLE = {"description": "Hammer", "quantity": 2.0, "unit_price": 5.0}


@pytest.mark.parametrize(
    ("rows", "counts"),
    [([WHOLE], True), ([WHOLE, {**WHOLE, "quantity": None}], False), ([{"description": "Hammer"}], False), ([], False)],
)
def test_a_table_counts_only_if_each_row_is_labelled_whole(
    rows: list[dict[str, Any]], counts: bool, tmp_path: Path
) -> None:
    values = {"vendor_name": "Akme", "line_items": rows}
    (document,) = read_real(write(tmp_path, line(values=values)), "train")
    (truth,) = case_of(document).truths
    assert ("line_items" in truth) is counts
    assert truth["vendor_name"] == "Akme"


def test_a_disputed_truth_counts_neither_way(tmp_path: Path) -> None:
    values = [Observation("a/1.pdf", "a", kind, None, is_right=False) for kind in ("due_at", "amount")]
    file = tmp_path / "disputed.json"
    file.write_text(json.dumps({"a/1.pdf": ["due_at"], "a/2.pdf": ["amount"]}))
    kept, count = without_disputed(values, file)
    assert [value.kind for value in kept] == ["amount"]
    assert count == 1
    assert without_disputed(values, None) == (values, 0)


def test_a_name_also_counts_as_it_is_printed(tmp_path: Path) -> None:
    (document,) = read_real(write(tmp_path, line(values={"vendor_name": "Akme Limited"})), "train")
    (truth,) = case_of(document).truths
    assert truth["_vendor_alt"] == ["ACME Ltd"]
