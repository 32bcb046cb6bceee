"""Rankers learn from generated questions which features show the right value."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from models.training import ranking
from models.training.questions import Question, ask_case
from models.training.ranking import AGAINST, FOR, OBJECTED, REAL, USUAL, accuracy, disturb, fit
from serve_app.extraction.evidence import gather
from tests.extraction.pages import document_of, reading_of

DISTINCTIVE = Question(
    [
        {"model:invoice_number": 4.0, "before:invoice_number": 1.0},
        {"model:invoice_number": 4.0, "before:other_number": 1.0},
    ],
    [True, False],
)
NAMED = Question([{"alone": 1.0}, {}], [True, False])
NOTHING = Question([{"model:other_number": 6.0, "before:other_number": 1.0}], [False])


def test_learns_what_shows_the_right_value() -> None:
    questions = [DISTINCTIVE, NOTHING] * 40
    weights = fit("invoice_number", questions)
    assert weights["before:invoice_number"] > weights["before:other_number"]
    assert accuracy(weights, questions) == 1.0


def test_what_no_document_shows_stays_as_it_was() -> None:
    before = {"bias": 0.0, "large": 1.5}
    question = Question([{"large": 0.0, "legal form": 1.0}, {"large": 0.0}], [True, False])
    weights = fit("vendor", [question] * 40, before=before, how=REAL)
    assert weights["large"] == 1.5
    assert weights["legal form"] > 0


def test_few_documents_do_not_lift_an_objection() -> None:
    question = Question([{"against:link": 1.0, "alone": 1.0}, {}], [True, False])
    weights = fit("vendor", [question, *[NAMED] * 200], before={"bias": 0.0}, how=REAL)
    assert OBJECTED <= weights["against:link"] < OBJECTED / 2


def test_the_question_of_a_case_accepts_another_name_only_where_its_own_is_not_printed() -> None:
    lines = ("Akme|SELLER Tools|SELLER Ltd|SELLER", "Line", "Forum|SELLER Works|SELLER")
    pages = gather(document_of(lines), reading_of(lines))
    ((_, both),) = ask_case({"vendor_name": "Akme Tools Ltd", "_vendor_alt": ["Forum Works"]}, pages)
    ((_, other),) = ask_case({"vendor_name": "Beispiel AG", "_vendor_alt": ["Forum Works"]}, pages)
    assert (both.right, other.right) == ([True, False], [False, True])
    assert list(ask_case({"vendor_name": "Beispiel AG"}, pages)) == []


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
