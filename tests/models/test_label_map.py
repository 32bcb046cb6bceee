"""Classes of any model become the service's tags, and a map that cannot be meant is refused."""

import numpy as np
import pytest

from models.config import ModelError
from models.label_map import LabelMap, Targets
from serve_app.domain.labels import TAGS, Label


def mapped(
    classes: list[str], wanted: dict[str, str | None] | None, scores: list[list[float]]
) -> list[dict[str, float]]:
    """The tags of each row that have a probability."""
    rows = LabelMap(classes, wanted).apply(np.array(scores, dtype=np.float32))
    assert np.allclose(rows.sum(axis=1), 1)
    return [{TAGS[column]: round(float(row[column]), 3) for column in np.flatnonzero(row)} for row in rows]


def test_the_services_own_classes_stay_as_they_are() -> None:
    scores = np.random.default_rng(0).random((3, len(TAGS)), dtype=np.float32)
    assert LabelMap(TAGS).apply(scores) is scores


def test_the_services_own_classes_may_come_in_another_order() -> None:
    assert mapped(["I-TOTAL", "O", "B-TOTAL"], None, [[0.1, 0.2, 0.7]]) == [{"I-TOTAL": 0.1, "O": 0.2, "B-TOTAL": 0.7}]


def test_a_prefix_is_kept_where_the_map_names_the_class_without_it() -> None:
    classes = ["O", "B-sum", "I-sum", "E-sum", "S-sum"]
    found = mapped(classes, {"sum": "TOTAL"}, [[0.1, 0.2, 0.3, 0.15, 0.25]])
    assert found == [{"O": 0.1, "B-TOTAL": 0.45, "I-TOTAL": 0.45}]


def test_a_class_may_be_named_as_it_stands_and_lead_to_a_tag() -> None:
    assert mapped(["LABEL_0", "LABEL_1"], {"LABEL_1": "B-TAX"}, [[0.4, 0.6]]) == [{"O": 0.4, "B-TAX": 0.6}]


def test_classes_that_lead_to_nothing_are_outside() -> None:
    found = mapped(["B-sum", "B-tip", "B-menu"], {"sum": "TOTAL", "tip": None}, [[0.2, 0.3, 0.5]])
    assert found == [{"B-TOTAL": 0.2, "O": 0.8}]


def test_several_classes_may_lead_to_one_label() -> None:
    assert mapped(["I-net", "I-gross"], {"net": "TOTAL", "gross": "TOTAL"}, [[0.4, 0.6]]) == [{"I-TOTAL": 1.0}]


def test_without_prefixes_the_first_word_of_a_run_begins_a_span() -> None:
    rows = mapped(["O", "seller"], {"seller": "SELLER"}, [[0.1, 0.9], [0.2, 0.8], [0.9, 0.1], [0.3, 0.7]])
    assert [max(row, key=lambda tag: row[tag]) for row in rows] == ["B-SELLER", "I-SELLER", "O", "B-SELLER"]


def test_an_empty_page_has_no_rows() -> None:
    assert LabelMap(["O", "TOTAL"]).apply(np.zeros((0, 2), np.float32)).shape == (0, len(TAGS))


@pytest.mark.parametrize(
    ("classes", "wanted", "message"),
    [
        (["O", "B-sum"], None, "does not know: sum; name those that it shall read in a label_map"),
        (["O", "B-sum"], {"summ": "TOTAL"}, "label_map names summ, the model's classes are O, B-sum"),
        (["O", "B-sum"], {"sum": None}, "none of the model's classes maps to a label"),
        (["LABEL_0", "LABEL_1"], {}, "none of the model's classes maps to a label"),
    ],
)
def test_a_map_that_makes_no_sense_is_refused(
    classes: list[str], wanted: dict[str, str | None] | None, message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        LabelMap(classes, wanted)


def test_keys_are_found_by_their_whole_path_first() -> None:
    targets = Targets({"total.price": "TOTAL", "price": "LINE_TOTAL", "menu.note": None, "note": "I-BUYER"})
    assert targets.label(["total", "price"]) is Label.TOTAL
    assert targets.label(["menu", "price"]) is Label.LINE_TOTAL
    assert targets.label(["menu", "note"]) is None
    assert targets.label(["note"]) is Label.BUYER
    assert targets.label(["other"]) is None
