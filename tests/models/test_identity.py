"""A calibration is bound to what its models are: their files and the settings that change answers, not their names."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from models.identity import identity_of
from models.loading import EXTRACTOR, VERIFIER, WEIGHTS, ModelConfig, load_model
from models.pipeline import Pipeline
from serve_app.domain.labels import Label
from serve_app.domain.user_error import UserError
from serve_app.extraction.confidence.calibration import Calibration
from serve_app.reconciling.calibrations import BUNDLED, load_calibration, load_calibrations
from tests.cli.command_line import attempt, run


@pytest.fixture
def copied(tmp_path: Path) -> ModelConfig:
    """The bundled verifier in a folder that the test may change."""
    shutil.copytree(WEIGHTS / "verifier", tmp_path / "verifier")
    return VERIFIER.model_copy(update={"checkpoint": str(tmp_path / "verifier")})


@pytest.fixture
def named_only(tmp_path: Path) -> Path:
    """The bundled calibration as version 1.0 wrote it."""
    content = json.loads(BUNDLED.read_text())
    file = tmp_path / "calibration.json"
    file.write_text(json.dumps({name: each for name, each in content.items() if not name.endswith("_sha256")}))
    return file


def change_weights(config: ModelConfig) -> ModelConfig:
    """Another weight in the file, which keeps its length and its name."""
    file = Path(config.checkpoint) / "model.safetensors"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    return config


def test_the_bundled_calibration_is_bound_to_the_bundled_models() -> None:
    assert load_calibration().is_for(identity_of(EXTRACTOR), identity_of(VERIFIER))


def test_a_reading_says_which_model_read() -> None:
    model = load_model(VERIFIER)
    assert (model.revision, model.sha256) == (identity_of(VERIFIER).revision, identity_of(VERIFIER).sha256)


def test_other_weights_under_the_name_of_calibrated_ones_have_no_high_values(copied: ModelConfig) -> None:
    pipeline = Pipeline(EXTRACTOR, change_weights(copied))
    assert pipeline.revisions.verifier == load_calibration().verifier
    assert {field.high for field in pipeline.calibration.fields.values()} == {1.0}
    assert "on other models of these names" in str(pipeline.calibration_problem)


def test_the_same_files_under_another_name_keep_their_calibration(copied: ModelConfig) -> None:
    renamed = copied.model_copy(update={"revision": "ours"})
    assert identity_of(renamed).revision == "ours"
    assert load_calibrations().problem(identity_of(EXTRACTOR), identity_of(renamed)) is None


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        ({"device": "cuda", "precision": "float16", "runtime": "torch", "token_budget": 4096}, True),
        ({"licence": "MIT", "gate": "gate.json"}, True),
        ({"label_map": {Label.TOTAL.value: Label.SUBTOTAL.value}}, False),
    ],
)
def test_settings_count_if_they_change_what_is_answered(change: dict[str, Any], is_same: bool) -> None:
    changed = ModelConfig.model_validate({**VERIFIER.model_dump(exclude_defaults=True), **change})
    assert (identity_of(changed).sha256 == identity_of(VERIFIER).sha256) is is_same


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "tokenizer_config.json"])
def test_configuration_and_tokenizer_count(copied: ModelConfig, name: str) -> None:
    before = identity_of(copied)
    file = Path(copied.checkpoint) / name
    file.write_text(file.read_text() + " ")
    assert identity_of(copied).revision == before.revision
    assert identity_of(copied).sha256 != before.sha256


def test_a_chat_model_is_its_name_and_its_question(tmp_path: Path) -> None:
    def hash_with(**endpoint: str) -> str:
        given = {"url": "http://127.0.0.1:9/v1", **endpoint}
        return identity_of(
            ModelConfig.model_validate({"adapter": "chat", "checkpoint": "acme/vl", "endpoint": given})
        ).sha256

    (tmp_path / "prompt.md").write_text("Read the page.")
    assert hash_with(url="http://127.0.0.1:10/v1") == hash_with()
    assert len({hash_with(), hash_with(sends="words"), hash_with(prompt=str(tmp_path / "prompt.md"))}) == 3


def test_a_calibration_with_names_only_is_bound_by_a_command(
    named_only: Path, caplog: pytest.LogCaptureFixture
) -> None:
    models = identity_of(EXTRACTOR), identity_of(VERIFIER)
    assert not load_calibration(named_only).is_for(*models)
    load_calibrations(named_only)
    assert f"no value is high by {named_only}" in caplog.text
    assert "invoices models bind FILE" in caplog.text
    assert "is bound to" in run("models", "bind", str(named_only))
    assert load_calibration(named_only) == load_calibration()


def test_only_a_calibration_of_these_names_without_hashes_is_bound(named_only: Path, copied: ModelConfig) -> None:
    other = copied.checkpoint
    run("models", "bind", str(named_only))
    change_weights(copied)
    with pytest.raises(UserError, match="bound to other files"):
        attempt("models", "bind", str(named_only), "--verifier", other)
    without = load_calibration(named_only).model_copy(update={"verifier": "theirs", "verifier_sha256": None})
    named_only.write_text(without.model_dump_json())
    with pytest.raises(UserError, match=r"was fitted on extractor-.* and theirs, not on"):
        attempt("models", "bind", str(named_only))
    assert load_calibration(named_only) == Calibration.model_validate(without.model_dump())
