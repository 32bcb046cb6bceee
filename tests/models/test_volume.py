"""What labelled documents add is measured by trainings that differ in nothing else."""

from pathlib import Path

import pytest

from models.training import run as training
from models.training.mixture import RealShare
from models.training.plan import PLANS
from models.training.run import Options
from models.training.volume import train, trials
from tests.models.test_real_documents import line, write
from tests.support.checkpoints import write_layout_checkpoint


def test_the_parts_stand_between_generated_alone_and_labelled_alone() -> None:
    made = trials([1.0, 0.25], share=0.3)
    assert [(trial.share, trial.issuers) for trial in made] == [(0.0, 1.0), (0.3, 0.25), (0.3, 1.0), (1.0, 1.0)]
    assert len({trial.folder for trial in made}) == 4


def test_a_training_is_judged_on_both_kinds_and_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_layout_checkpoint(tmp_path / "start" / "extractor")
    (tmp_path / "start" / "extractor" / "tokenizer_config.json").write_text("{}")
    (tmp_path / "real").mkdir()
    write(tmp_path / "real", line(), line(id="held out", split="validation", issuer="other"))
    monkeypatch.setattr(training, "VALIDATION_DOCUMENTS", 1)
    options = Options(2, start=tmp_path / "start", real=(RealShare(tmp_path / "real", 0.5),))
    first = train(PLANS["extractor"], options, tmp_path / "runs")
    monkeypatch.setattr(training.TrainingRun, "train", lambda _: pytest.fail("the training was repeated"))
    assert train(PLANS["extractor"], options, tmp_path / "runs") == first
    assert all(0 <= score <= 1 for score in first)
