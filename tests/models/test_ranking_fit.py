"""Rankers learn from generated questions which features show the right value."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from models.training import ranking
from models.training.questions import Question
from models.training.ranking import AGAINST, FOR, USUAL, accuracy, disturb, fit

DISTINCTIVE = Question(
    [
        {"model:invoice_number": 4.0, "before:invoice_number": 1.0},
        {"model:invoice_number": 4.0, "before:other_number": 1.0},
    ],
    [True, False],
)
NOTHING = Question([{"model:other_number": 6.0, "before:other_number": 1.0}], [False])


def test_learns_what_shows_the_right_value() -> None:
    questions = [DISTINCTIVE, NOTHING] * 40
    weights = fit("invoice_number", questions)
    assert weights["before:invoice_number"] > weights["before:other_number"]
    assert accuracy(weights, questions) == 1.0


def test_a_few_real_documents_count_as_much_as_many_generated_ones() -> None:
    real = Question(DISTINCTIVE.options, [False, True])
    weights = fit("issued_at", [DISTINCTIVE] * 40, [real] * 4)
    one, other = (abs(weights[f"before:{kind}_number"]) for kind in ("invoice", "other"))
    assert abs(one - other) < 1.0


def test_no_document_teaches_a_sign_that_cannot_be() -> None:
    misleading = Question(DISTINCTIVE.options, [False, True])
    weights = fit("invoice_number", [misleading] * 40)
    assert all(weights.get(name, 0.0) >= 0 for name in FOR["invoice_number"])
    assert all(weights.get(name, 0.0) <= 0 for name in AGAINST["invoice_number"])


def test_a_field_that_does_not_learn_keeps_its_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "weights.json"
    target.write_text(json.dumps({"vendor": {"bias": -1.5}, "invoice_number": {"bias": 7.0}}))
    asked = [("invoice_number", DISTINCTIVE), ("vendor", DISTINCTIVE)] * 10
    for name, replacement in (
        ("Pipeline", lambda *_: None),
        ("ReadingCache", lambda *_: None),
        ("asked_of_generated", lambda *_: iter(asked)),
        ("TARGET", target),
    ):
        monkeypatch.setattr(ranking, name, replacement)
    monkeypatch.setattr(sys, "argv", ["ranking", "--out", str(target)])
    ranking.main()
    weights = json.loads(target.read_text())
    assert weights["vendor"] == {"bias": -1.5}
    assert weights["invoice_number"]["before:invoice_number"] > 0


def test_a_disturbed_question_has_the_same_answer_and_other_features() -> None:
    disturbed = disturb(DISTINCTIVE, USUAL, np.random.default_rng(0))
    assert disturbed.right == DISTINCTIVE.right
    assert disturbed.options != DISTINCTIVE.options
