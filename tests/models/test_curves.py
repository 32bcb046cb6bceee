"""A training log becomes a picture, also where the run was stopped and resumed."""

import json
from pathlib import Path

import pytest

from models.training.curves import main, read_log


def write_log(path: Path, *entries: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries) + '{"seen": 99, "lo')


def test_what_a_resumed_run_saw_again_counts_once(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    write_log(
        log,
        {"seen": 10, "seconds": 1, "loss": 3.0},
        {"seen": 20, "seconds": 2, "loss": 2.0},
        {"seen": 20, "seconds": 2, "f1": 0.5, "by_label": {"TOTAL": 0.4}},
        {"seen": 15, "seconds": 2, "loss": 2.5},
        {"seen": 30, "seconds": 3, "f1": 0.7, "f1 by label": {"TOTAL": 0.8}},
    )
    curves = read_log(log)
    assert curves.losses == [(10, 3.0), (15, 2.5)]
    assert curves.scores == [(30, 0.7)]
    assert curves.by_label == {"TOTAL": [(30, 0.8)]}
    assert curves.resumed == [15]


def test_each_run_gets_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("extractor", "verifier"):
        write_log(tmp_path / "runs" / name / "log.jsonl", {"seen": 10, "seconds": 1, "loss": 3.0})
    monkeypatch.setattr("sys.argv", ["curves", str(tmp_path / "runs"), str(tmp_path / "out")])
    main()
    pictures = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in pictures] == ["extractor.png", "verifier.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)


def test_a_folder_without_logs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["curves", str(tmp_path), str(tmp_path / "out")])
    with pytest.raises(SystemExit):
        main()
