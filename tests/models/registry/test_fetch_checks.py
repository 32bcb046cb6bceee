"""What cannot serve is refused when it is fetched: in one line that names the source, and nothing is kept."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from models.config import WEIGHTS, ModelError
from models.footprint import loaded
from models.loading import EXTRACTOR
from models.registry.provenance import Provenance
from models.registry.registry import Registry
from models.weight_files import check_weights
from serve_app.domain.user_error import UserError
from serve_app.reconciling.calibrations import BUNDLED
from tests.cli.command_line import attempt, run
from tests.models.registry.conftest import Write
from tests.support.forks import forking_context

WEIGHTS_FILE = "model.safetensors"
Damage = Callable[[Path], None]


@pytest.fixture(autouse=True)
def quick_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models are loaded in processes of their own, which begin with the libraries imported."""
    monkeypatch.setattr("models.footprint.get_context", forking_context)


def change(file: Path, **values: object) -> None:
    """Set keys of a JSON file."""
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


def truncate(folder: Path) -> None:
    os.truncate(folder / WEIGHTS_FILE, (folder / WEIGHTS_FILE).stat().st_size - 1000)


def rename_classes(folder: Path) -> None:
    names = {str(number): f"LABEL_{number}" for number in range(43)}
    change(folder / "config.json", id2label=names, label2id={name: int(number) for number, name in names.items()})


DAMAGES: dict[str, tuple[Damage, str]] = {
    "no weights": (lambda folder: (folder / WEIGHTS_FILE).unlink(), "no weights"),
    "truncated weights": (truncate, "is truncated"),
    "no architecture": (lambda folder: change(folder / "config.json", model_type="unheard-of"), "unheard-of"),
    "no tokenizer": (lambda folder: (folder / "tokenizer.json").unlink(), "tokenizer"),
    "no labels": (rename_classes, "LABEL_"),
    "another shape": (lambda folder: change(folder / "config.json", hidden_size=10**7), "refused"),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_fetch_refuses_what_cannot_be_loaded(folder: Path, trained: Write, damage: str) -> None:
    source = trained()
    # Without its graph, as models of others come.
    (source / "graph.onnx").unlink()
    spoil, reason = DAMAGES[damage]
    spoil(source)
    with pytest.raises(UserError) as refused:
        attempt("models", "fetch", str(source), "--as", "extractor", "--name", "reader")
    assert str(refused.value).startswith(f"{source} is refused: ")
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
    assert ".unfinished" not in str(refused.value)
    assert Registry(folder).versions("reader") == []


def test_force_promotes_without_a_gate_but_not_what_cannot_be_loaded(folder: Path, trained: Write) -> None:
    version = run("models", "fetch", str(trained()), "--as", "extractor", "--name", "reader").strip()
    place = folder / "reader" / "versions"
    name, _, digest = version.partition("@")
    truncate(place / digest)
    with pytest.raises(UserError, match="was changed or is incomplete"):
        attempt("models", "promote", version, "--force", "an emergency")
    # As of a version that was added before versions were loaded.
    registry = Registry(folder)
    (kept,) = registry.versions(name)
    source = folder.parent / "kept"
    shutil.copytree(kept.folder, source)

    def fill(target: Path) -> Provenance:
        shutil.copytree(source, target, dirs_exist_ok=True)
        return kept.provenance

    broken = registry.add(name, fill)
    with pytest.raises(UserError, match="is truncated"):
        attempt("models", "promote", broken.reference, "--force", "an emergency")
    assert registry.history(name).promoted() == []


def test_a_calibration_of_another_model_is_refused(folder: Path, trained: Write) -> None:
    arguments = ("--as", "extractor", "--name", "reader", "--calibration", str(BUNDLED))
    with pytest.raises(UserError, match="was fitted on another extractor"):
        attempt("models", "fetch", str(trained(1)), *arguments)
    assert Registry(folder).versions("reader") == []


def test_loading_takes_no_longer_than_it_may() -> None:
    refused = loaded(EXTRACTOR.model_copy(update={"checkpoint": str(WEIGHTS / "extractor")}), seconds=0.01).refused
    assert refused == "loading it took longer than 0.01 seconds"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "header is not whole"),
        (b"\xff" * 100, "header is not whole"),
        (b"\x02" + b"\0" * 7 + b"[]", "header cannot be read"),
        (b"\x02" + b"\0" * 7 + b"{}more", "14 bytes instead of 10"),
        ((200).to_bytes(8, "little") + b"[" * 200, "header cannot be read"),
    ],
)
def test_weights_are_as_long_as_their_header_says(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / WEIGHTS_FILE).write_bytes(content)
    with pytest.raises(ModelError, match=reason):
        check_weights(tmp_path)


def test_all_parts_of_divided_weights_are_there(tmp_path: Path) -> None:
    shutil.copy(WEIGHTS / "extractor" / WEIGHTS_FILE, tmp_path / "model-1.safetensors")
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}))
    with pytest.raises(ModelError, match=r"missing in .*: model-2\.safetensors"):
        check_weights(tmp_path)
    (tmp_path / "model-2.safetensors").symlink_to(tmp_path / "model-1.safetensors")
    check_weights(tmp_path)
