"""A candidate passes if it loses nothing, and a replica takes only what has passed."""

import json
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from models.config import Adapter, ModelConfig, ModelError, Precision
from models.evaluation.dataset import Case
from models.evaluation.gate.golden import golden
from models.evaluation.gate.report import FILE, PAGE, write
from models.evaluation.gate.trial import Known, Remembered, Run, run
from models.evaluation.gate.verdict import findings, sources
from models.evaluation.observations import Judged, Observation
from models.gate.digest import digest_of
from models.gate.required_verdict import check_passed
from models.loading import load_model
from models.pipeline import Pipeline
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.invoice import Confidence, Extraction, ModelRevisions
from serve_app.domain.labels import TAGS
from serve_app.domain.reading import PageReading, Reading
from serve_app.extraction.confidence.calibration import UNFITTED
from tests.support.checkpoints import write_layout_checkpoint

Spoil = Callable[[dict[str, Any], random.Random], dict[str, Any]]


class Reads:
    """Stands in for a pair of models: knows every golden document, but for what is spoilt."""

    calibration = UNFITTED
    needs_pictures = False

    @property
    def calibration_problem(self) -> str | None:
        return None if self.calibration.extractor else "no calibration was fitted on the models"

    def __init__(self, spoil: Spoil, revision: str, alone: Spoil) -> None:
        self.revisions = ModelRevisions(extractor=revision, verifier="b")
        self._spoil, self._alone = spoil, alone
        self._random = random.Random(revision)
        self._known = {id(document.pages[0].words): case.truths[0] for case, document in KNOWN}

    @property
    def digests(self) -> tuple[str, str]:
        return self.revisions.extractor, self.revisions.verifier

    def label_with_extractor(self, documents: Sequence[Document]) -> list[Reading]:
        return [self.reading("x", document) for document in documents]

    def label_with_verifier(self, documents: Sequence[Document]) -> list[Reading]:
        return [self.reading("y", document) for document in documents]

    def reading(self, revision: str, document: Document) -> Reading:
        nothing = [np.eye(1, len(TAGS), dtype=np.float32).repeat(len(page.words), 0) for page in document.pages]
        return Reading(revision, TAGS, tuple(map(PageReading, nothing)))

    def decide(self, document: Document, readings: tuple[Reading, Reading]) -> list[Section]:
        truth = {key: value for key, value in self._known[id(document.pages[0].words)].items() if key[0] != "_"}
        truth.pop("line_items")
        spoil = self._alone if readings[0].revision == readings[1].revision else self._spoil
        return [Section(1, len(document.pages), Extraction.model_validate(spoil(truth, self._random)))]


KNOWN = list(golden(40))
SLOW = "slow"
"""The revision of a model that takes more than three times as long as all others."""


@pytest.fixture
def run_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Run]:
    monkeypatch.setattr("models.evaluation.gate.trial.golden", lambda: KNOWN)
    # Neither matters here, and both take long.
    monkeypatch.setattr("models.evaluation.gate.trial.observe", lambda *_: [])
    monkeypatch.setattr("models.evaluation.tally.present", lambda *_: {})
    # What stand-ins take is the machine's chance.
    monkeypatch.setattr(Run, "seconds", property(lambda run: 3.1 if run.pipeline.revisions.extractor == SLOW else 1.0))

    def no_file(data: bytes) -> Document:
        raise AssertionError("no folder was named")

    def make(
        spoil: Spoil, name: str, loaded: int = 1000, alone: Spoil | None = None, known: Known | None = None
    ) -> Run:
        pipeline = cast(Pipeline, Reads(spoil, name, alone or spoil))
        return run((pipeline, loaded), 0, [], tmp_path / name, no_file, lambda *_: None, known)

    return make


def right(values: dict[str, Any], _: random.Random) -> dict[str, Any]:
    return values


def slips(values: dict[str, Any], chances: random.Random) -> dict[str, Any]:
    """Now and then any field."""
    return {name: None if chances.random() < 0.03 else value for name, value in values.items()}


def reads_nothing(values: dict[str, Any], _: random.Random) -> dict[str, Any]:
    return {}


def loses_due_dates(values: dict[str, Any], _: random.Random) -> dict[str, Any]:
    return values | {"due_at": None}


def swaps_dates(values: dict[str, Any], _: random.Random) -> dict[str, Any]:
    both = values["issued_at"], values["due_at"]
    return values | {"issued_at": both[1] or both[0], "due_at": both[0] if both[1] else None}


def failed(before: Run, now: Run) -> list[str]:
    return [rule.rule for rule in findings(before, now) if not rule.passed]


def test_an_equal_candidate_passes(run_of: Callable[..., Run]) -> None:
    before = run_of(slips, "a")
    assert [failed(before, run_of(slips, f"equal {number}")) for number in range(4)] == 4 * [[]]


@pytest.mark.parametrize("spoil", [reads_nothing, loses_due_dates, swaps_dates])
def test_a_worse_one_does_not(run_of: Callable[..., Run], spoil: Spoil) -> None:
    assert "no field of any source gets worse by more than chance" in failed(run_of(slips, "a"), run_of(spoil, "c"))


def test_one_that_reads_nothing_fails_even_where_the_present_one_does(run_of: Callable[..., Run]) -> None:
    assert failed(run_of(reads_nothing, "a"), run_of(reads_nothing, "c")) == [
        "alone, it reads generated invoices",
        "the pair reads generated invoices",
    ]


def test_a_bad_model_does_not_hide_behind_its_partner(run_of: Callable[..., Run]) -> None:
    before = run_of(slips, "a")
    assert "alone, it reads generated invoices" in failed(before, run_of(slips, "c", alone=reads_nothing))
    assert failed(before, run_of(slips, "d", alone=swaps_dates)) != []


def test_a_better_one_passes(run_of: Callable[..., Run]) -> None:
    assert failed(run_of(swaps_dates, "a"), run_of(right, "c")) == []


def judged(high: int, wrong: int, chance: float) -> list[Judged]:
    def one(number: int) -> Judged:
        return Judged(Observation("a", "a", "amount", None, number * wrong % high >= wrong), chance, Confidence.HIGH)

    return [one(number) for number in range(high)]


@pytest.mark.parametrize(
    ("high", "wrong", "chance", "rules"),
    [
        (300, 6, 0.98, []),
        (300, 12, 0.98, ["high values are right"]),
        (20, 4, 0.6, []),
        (300, 6, 0.6, ["probabilities mean what they say"]),
    ],
)
def test_what_its_levels_are_worth_is_measured(
    run_of: Callable[..., Run], high: int, wrong: int, chance: float, rules: list[str]
) -> None:
    before, now = run_of(right, "a"), run_of(right, "c")
    fitted = UNFITTED.model_copy(update={"extractor": "c", "verifier": "b"})
    now.pipeline.calibration = fitted  # type: ignore[misc]
    before.pair.evaluation.judged += judged(100, 1, 0.99)
    now.pair.evaluation.judged += judged(high, wrong, chance)
    assert failed(before, now) == rules


def with_high(run: Run, fields: Callable[[int], int]) -> Run:
    """A pair with a calibration, by which so many fields of each document are `high`, by the document's number."""
    revisions = run.pipeline.revisions.model_dump()
    run.pipeline.calibration = UNFITTED.model_copy(update=revisions)  # type: ignore[misc]
    for number, (case, _) in enumerate(KNOWN):
        observed = [Observation(case.name, case.name, "tax", None, is_right=True)] * fields(number)
        run.pair.evaluation.judged += [Judged(each, 1.0, Confidence.HIGH) for each in observed]
    return run


@pytest.mark.parametrize(
    ("fields", "passes"),
    [
        (lambda number: 4, True),
        (lambda number: 5, True),
        (lambda number: 0, False),
        (lambda number: 4 - (number % 2), False),
        # On every fourth document one fewer: 6 % in all.
        (lambda number: 4 - (number % 4 == 0), True),
        # Five of 40 documents have none any more, which may be chance.
        (lambda number: 0 if number < 5 else 4, True),
    ],
)
def test_a_candidate_keeps_what_is_high(run_of: Callable[..., Run], fields: Callable[[int], int], passes: bool) -> None:
    before, now = with_high(run_of(right, "a"), lambda _: 4), with_high(run_of(right, "c"), fields)
    rule = "no source loses more than 10% of its high fields, by more than chance"
    assert failed(before, now) == ([] if passes else [rule])


def test_the_verdict_says_how_many_are_high(run_of: Callable[..., Run]) -> None:
    before, now = with_high(run_of(right, "a"), lambda _: 4), with_high(run_of(right, "c"), lambda _: 1)
    (found,) = (rule.found for rule in findings(before, now) if not rule.passed)
    assert found == "40 fields are high, at present 160; 40 of golden, at present 160, p 2e-12"


def test_a_candidate_without_a_calibration_does_not_take_the_place_of_a_pair_with_one(
    run_of: Callable[..., Run],
) -> None:
    assert failed(with_high(run_of(right, "a"), lambda _: 4), run_of(right, "c")) == ["has a calibration"]


class TestSharedReadings:
    def test_the_model_that_stays_reads_each_document_once(
        self, run_of: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read: list[str] = []

        def counted(self: Reads, revision: str, document: Document) -> Reading:
            read.append(revision)
            return reading(self, revision, document)

        reading = Reads.reading
        monkeypatch.setattr(Reads, "reading", counted)
        known: Known = {}
        for name in ("a", "c"):
            run_of(right, name, known=known)
        assert (read.count("x"), read.count("y")) == (2 * len(KNOWN), len(KNOWN))

    def test_a_reading_that_another_pair_made_counts_with_its_time(self, run_of: Callable[..., Run]) -> None:
        document = KNOWN[0][1]
        known: Known = {("b", document.pages): (Reading("y", TAGS, ()), 9.0)}
        assert Remembered(cast(Pipeline, Reads(right, "a", right)), known).saved == 0
        found = Remembered(cast(Pipeline, Reads(right, "a", right)), known)
        found.both(document)
        assert found.saved == 9.0

    def test_levels_are_of_pairs_only(self, run_of: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[str] = []

        def observed(case: Case, *_: object) -> list[Observation]:
            asked.append(case.name)
            return []

        monkeypatch.setattr("models.evaluation.gate.trial.observe", observed)
        run_of(right, "a")
        assert len(asked) == len(KNOWN)


def test_time_is_counted(run_of: Callable[..., Run]) -> None:
    assert failed(run_of(right, "a"), run_of(right, SLOW)) == ["is at most 3 times as slow"]


def test_memory_is_counted(run_of: Callable[..., Run]) -> None:
    assert failed(run_of(right, "a"), run_of(right, "c", 4001)) == ["takes at most 4 times the memory"]


def test_the_generated_documents_are_always_the_same() -> None:
    assert [case.name for case, _ in golden(5)] == [case.name for case, _ in KNOWN[:5]]
    assert all(case.truths[0]["amount"] for case, _ in KNOWN)


class TestVerdict:
    @pytest.fixture
    def candidate(self, tmp_path: Path) -> ModelConfig:
        write_layout_checkpoint(tmp_path / "candidate")
        return ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint=str(tmp_path / "candidate"))

    def verdict(self, run_of: Callable[..., Run], candidate: ModelConfig, spoil: Spoil, out: Path) -> ModelConfig:
        before, now = run_of(right, "a"), run_of(spoil, "c")
        write(out, candidate, before, now, findings(before, now), sources(before, now))
        return candidate.model_copy(update={"gate": out / FILE})

    def test_what_passed_is_served(self, run_of: Callable[..., Run], candidate: ModelConfig, tmp_path: Path) -> None:
        config = self.verdict(run_of, candidate, right, tmp_path / "out")
        check_passed(config)
        check_passed(config.model_copy(update={"device": "cuda", "token_budget": 9000, "revision": "named"}))
        assert load_model(config).revision
        content = json.loads((tmp_path / "out" / FILE).read_text())
        assert content["passed"] is True
        assert content["against"] == {"extractor": "a", "verifier": "b"}
        assert "# Passed: `c` and `b`" in (tmp_path / "out" / PAGE).read_text()

    def test_what_failed_is_not(self, run_of: Callable[..., Run], candidate: ModelConfig, tmp_path: Path) -> None:
        config = self.verdict(run_of, candidate, swaps_dates, tmp_path / "out")
        with pytest.raises(ModelError, match="did not pass its check"):
            load_model(config)

    def test_nor_is_another_model_or_the_same_otherwise(
        self, run_of: Callable[..., Run], candidate: ModelConfig, tmp_path: Path
    ) -> None:
        config = self.verdict(run_of, candidate, right, tmp_path / "out")
        changed = config.model_copy(update={"precision": Precision.BFLOAT16})
        with pytest.raises(ModelError, match="by another model, or with other settings"):
            check_passed(changed)
        weights = tmp_path / "candidate" / "model.safetensors"
        weights.write_bytes(weights.read_bytes()[:-1] + b"\x01")
        with pytest.raises(ModelError, match="by another model, or with other settings"):
            check_passed(config)

    def test_a_verdict_has_to_be_one(self, candidate: ModelConfig, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match="is no verdict of"):
            check_passed(candidate.model_copy(update={"gate": tmp_path / "none.json"}))

    def test_a_copy_of_the_files_is_the_same_model(self, candidate: ModelConfig, tmp_path: Path) -> None:
        shutil.copytree(tmp_path / "candidate", tmp_path / "copy")
        copy = candidate.model_copy(update={"checkpoint": str(tmp_path / "copy")})
        assert digest_of(copy) == digest_of(candidate)
