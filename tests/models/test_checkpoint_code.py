"""A checkpoint is data: the code that it asks to run never runs, whatever is answered, and the refusal says why."""

import ast
import json
import sys
from pathlib import Path

import pytest

from actors.model_actor import load_hosted_model
from models.config import Adapter, ModelError
from models.evaluation import calibrate
from models.footprint import tried
from models.pictures import PagePixels
from models.pretrained import load_tokenizer
from models.training import __main__ as training
from models.training.tuning import __main__ as tuning
from serve_app.domain.user_error import UserError
from tests.cli.command_line import attempt
from tests.support.foreign import LABEL_MAP, write_foreign
from tests.support.forks import forking_context

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "samples" / "invoice.pdf"
LOADS = "models/pretrained.py"
BY_CONFIG = {"AutoConfig": "evil.Evil", "AutoModelForTokenClassification": "evil.Evil", "AutoModel": "evil.Evil"}


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """A file that is written if code of a checkpoint runs."""
    return tmp_path / "code-ran"


@pytest.fixture(autouse=True)
def quick_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models are loaded in processes of their own, which begin with the libraries imported."""
    monkeypatch.setattr("models.footprint.get_context", forking_context)


@pytest.fixture(autouse=True)
def yes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is asked agrees."""
    monkeypatch.setattr("builtins.input", lambda *_: "y")


def write_code(kind: str, folder: Path, marker: Path) -> Path:
    """A checkpoint of a kind with a module that writes the marker."""
    write_foreign(kind, folder)
    (folder / "evil.py").write_text(f"import pathlib\npathlib.Path({str(marker)!r}).touch()\n\n\nclass Evil: ...\n")
    (folder / "custom_generate").mkdir()
    (folder / "custom_generate" / "generate.py").write_text((folder / "evil.py").read_text() + "generate = Evil\n")
    return folder


def change(file: Path, **values: object) -> None:
    """Set keys of a JSON file."""
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


@pytest.fixture
def checkpoint(tmp_path: Path, marker: Path) -> Path:
    """A checkpoint of a kind that only its own code knows."""
    folder = write_code("bert", tmp_path / "evil-model", marker)
    change(folder / "config.json", model_type="evil", auto_map=BY_CONFIG)
    return folder


def test_explain_runs_no_code_of_a_checkpoint(checkpoint: Path, marker: Path) -> None:
    with pytest.raises(UserError) as refused:
        attempt("explain", str(SAMPLE), "--extractor", str(checkpoint))
    check_refused(refused.value, checkpoint, marker)


def test_evaluate_runs_no_code_of_a_checkpoint(checkpoint: Path, marker: Path, tmp_path: Path) -> None:
    data, out = dataset(tmp_path / "data"), tmp_path / "out"
    with pytest.raises(UserError) as refused:
        attempt("evaluate", str(data), "--out", str(out), "--extractor", str(checkpoint))
    check_refused(refused.value, checkpoint, marker)


def test_fetch_adds_no_checkpoint_that_needs_its_own_code(
    checkpoint: Path, marker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL_REGISTRY", str(tmp_path / "registry"))
    with pytest.raises(UserError) as refused:
        attempt("models", "fetch", str(checkpoint), "--as", "verifier", "--name", "reader")
    check_refused(refused.value, checkpoint, marker)
    assert attempt("models", "list").stdout.count("reader@") == 0


def test_check_runs_no_code_of_a_candidate(checkpoint: Path, marker: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        attempt("models", "check", str(checkpoint), "--as", "verifier", "--out", str(tmp_path / "gate"))
    check_refused(refused.value, checkpoint, marker)


def test_calibrating_runs_no_code_of_a_checkpoint(
    checkpoint: Path, marker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, out = dataset(tmp_path / "data"), tmp_path / "calibration.json"
    arguments = ["calibrate", str(data), "--verifier", str(checkpoint), "--out", str(out)]
    monkeypatch.setattr(sys, "argv", [*arguments, "--cache", str(tmp_path / "cache")])
    with pytest.raises(ModelError) as refused:
        calibrate.main()
    check_refused(refused.value, checkpoint, marker)
    assert not out.exists()


def test_a_configuration_is_checked_without_code_of_a_checkpoint(
    checkpoint: Path, marker: Path, tmp_path: Path
) -> None:
    found = tried({"adapter": "text_tokens", "checkpoint": str(checkpoint)})
    check_refused(ModelError(str(found.refused)), checkpoint, marker)


@pytest.mark.parametrize("adapter", [each for each in Adapter if each is not Adapter.CHAT])
def test_a_replica_runs_no_code_of_a_checkpoint(
    adapter: Adapter, checkpoint: Path, marker: Path, tmp_path: Path
) -> None:
    with pytest.raises(ModelError) as refused:
        load_hosted_model({"adapter": adapter.value, "checkpoint": str(checkpoint)}, tmp_path, "extractor", 1.0)
    check_refused(refused.value, checkpoint, marker)


def test_tuning_runs_no_code_of_a_checkpoint(
    checkpoint: Path, marker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["tuning", str(checkpoint), "--adapter", "text_tokens", "--out", str(tmp_path / "tuned")]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit) as refused:
        tuning.main()
    check_refused(refused.value, checkpoint, marker)


def test_training_starts_from_no_code_of_a_checkpoint(
    checkpoint: Path, marker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = tmp_path / "start" / "verifier"
    start.parent.mkdir()
    checkpoint.rename(start)
    arguments = ["training", "verifier", "--start", str(start.parent), "--runs", str(tmp_path / "runs")]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit) as refused:
        training.main()
    check_refused(refused.value, start, marker)


def test_a_tokenizer_is_no_code_either(tmp_path: Path, marker: Path) -> None:
    folder = write_code("donut", tmp_path / "donut", marker)
    change(folder / "config.json", model_type="unheard-of")
    named = {"tokenizer_class": "Evil", "auto_map": {"AutoTokenizer": [None, "evil.Evil"]}}
    change(folder / "tokenizer_config.json", **named)
    with pytest.raises(UserError) as refused:
        load_tokenizer(folder)
    check_refused(refused.value, folder, marker)


def test_an_image_processor_is_no_code_either(tmp_path: Path, marker: Path) -> None:
    folder = write_code("donut", tmp_path / "donut", marker)
    named = {"image_processor_type": "Evil", "auto_map": {"AutoImageProcessor": "evil.Evil"}}
    change(folder / "preprocessor_config.json", **named)
    with pytest.raises(UserError) as refused:
        PagePixels(folder)
    check_refused(refused.value, folder, marker)


def test_a_known_kind_with_code_of_its_own_is_loaded_without_it(tmp_path: Path, marker: Path) -> None:
    folder = write_code("bert", tmp_path / "bert", marker)
    change(folder / "config.json", auto_map=BY_CONFIG)
    config = {"adapter": "text_tokens", "checkpoint": str(folder), "label_map": LABEL_MAP}
    assert load_hosted_model(config, tmp_path, "extractor", 1.0).revision
    assert not marker.exists()


def test_checkpoints_are_loaded_in_one_place() -> None:
    folders = ("serve_app", "actors", "models", "benchmarks", "scripts")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    loading = ((file, text) for file in files if "from_pretrained" in (text := file.read_text()))
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file, text in loading
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr == "from_pretrained"
    ]
    assert len(files) > 500
    assert {place.partition(":")[0] for place in found} == {LOADS}, "use models.pretrained"
    assert "trust_remote_code=False" in (ROOT / LOADS).read_text()


def dataset(folder: Path) -> Path:
    """A document with its truth."""
    for name in ("docs/a", "truth/a"):
        (folder / name).mkdir(parents=True)
    (folder / "docs/a/one.pdf").write_bytes(SAMPLE.read_bytes())
    (folder / "truth/a/one.pdf.json").write_text(json.dumps({"invoice_number": "46380"}))
    return folder


def check_refused(error: BaseException | None, checkpoint: Path, marker: Path) -> None:
    """The refusal names the checkpoint and its reason, and the marker is not there."""
    assert not marker.exists(), "the checkpoint's code ran"
    assert isinstance(error, (UserError, SystemExit))
    assert str(checkpoint) in str(error)
    assert "its own code" in str(error)
