"""`invoices models fetch`, `list`, `show`, `promote` and `rollback`."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import pytest
import yaml

from models.config import WEIGHTS, ModelConfig
from models.registry import command
from models.registry.registry import Registry
from models.registry.resolve import resolved_version
from tests.cli.command_line import attempt, run
from tests.models.registry.conftest import Write
from tests.models.registry.hub import COMMIT, REPOSITORY, hub_with
from tests.support.buckets import new_bucket, s3_server
from tests.support.loading import loaded_here
from tests.support.promotion import passed_gate, user_config_of

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

BUNDLED = {path.name: path.read_bytes() for path in (WEIGHTS / "extractor").iterdir()}
FILES = {**BUNDLED, "pytorch_model.bin": b"pickle"}


@pytest.fixture(autouse=True)
def loads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a process of its own refuses: tests/models/registry/test_fetch_checks.py."""
    monkeypatch.setattr("models.footprint.loaded", loaded_here)


def fetched(source: object, *more: str) -> str:
    """NAME@HASH of a source."""
    return run("models", "fetch", str(source), "--as", "extractor", "--name", "reader", *more).strip()


def test_a_version_is_promoted_by_its_gate_and_taken_back(folder: Path, trained: Write, tmp_path: Path) -> None:
    assert run("models", "list").startswith(f"{folder}: no versions yet")
    first, second = fetched(trained(1, "1")), fetched(trained(2, "2"))
    assert "--gate" in str(attempt_failing("models", "promote", first))
    gate = passed_gate(first, tmp_path / "gate.json")
    output = run("models", "promote", first, "--gate", str(gate))
    deployed = ModelConfig.model_validate(user_config_of(output))
    assert deployed.checkpoint == f"registry://{first}"
    # The verdict is kept with the version: a replica asks for it again.
    assert deployed.gate == folder / "reader" / "gates" / f"{first.partition('@')[2]}.json"
    assert "No calibration was fitted on it" in output
    assert "passed by another model" in str(attempt_failing("models", "promote", second, "--gate", str(gate)))
    run("models", "promote", second, "--force", "an emergency")
    assert [line.split()[2:] for line in run("models", "list").splitlines()] == [
        ["-", "F1", "-", "-", str(tmp_path / "1")],
        ["promoted", "F1", "-", "-", str(tmp_path / "2")],
    ]
    back = user_config_of(run("models", "rollback", "reader", "--why", "worse"))
    assert back["checkpoint"] == f"registry://{first}"
    shown = run("models", "show", "reader")
    for text in (
        "promoted",
        "gate passed",
        "without a passed gate: an emergency",
        "made current again",
        "worse",
        "layout_tokens",
    ):
        assert text in shown
    assert first.partition("@")[2] not in run("models", "show", second)


def test_what_training_knew_stays_and_fetching_adds_to_it(folder: Path, trained: Write, tmp_path: Path) -> None:
    source = trained()
    (source / "provenance.json").write_text(json.dumps({"data": ["generated"], "hours": 2.5, "licence": "MIT"}))
    calibration = Path(command.__file__).parents[1] / "weights" / "calibration.json"
    version = fetched(source, "--calibration", str(calibration))
    (known,) = [each.provenance for each in Registry(folder).versions("reader")]
    assert (known.data, known.hours, known.licence, known.source) == (["generated"], 2.5, "MIT", str(source))
    assert known.model == {"adapter": "layout_tokens"}
    assert known.calibration is not None
    assert known.calibration["file"] == str(calibration)
    assert "Calibrated: extractor-" in run("models", "promote", version, "--force", "the same as ever")
    again = fetched(source, "--licence", "Apache-2.0").splitlines()
    assert again == [version, "The version already exists; its provenance is unchanged."]
    assert Registry(folder).versions("reader")[0].provenance.licence == "MIT"


def test_a_user_config_is_kept_with_its_checkpoint(folder: Path, trained: Write, tmp_path: Path) -> None:
    label_map = {"TOTAL": "SUBTOTAL"}
    config = {"adapter": "layout_tokens", "checkpoint": str(trained()), "label_map": label_map, "licence": "MIT"}
    path = tmp_path / "ours.yaml"
    path.write_text(yaml.safe_dump(config))
    version = fetched(path)
    used = resolved_version(f"registry://{version}")
    assert (used.adapter, used.label_map) == ("layout_tokens", label_map)


def test_a_checkpoint_comes_from_a_bucket(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with s3_server() as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        place = new_bucket(url)
        client: S3Client = boto3.client("s3")
        beside = {"deeper/config.json": b"{}", "../config.json": b"{}"}
        for name, data in (FILES | beside).items():
            client.put_object(Bucket=place.bucket, Key=f"models/new/{name}", Body=data)
        fetched(f"s3://{place.bucket}/models/new")
        assert "config.json is missing" in str(attempt_failing(*_fetch(f"s3://{place.bucket}/none")))
        assert "NoSuchBucket" in str(attempt_failing(*_fetch("s3://no-such-bucket/none")))
        client.close()
    (version,) = Registry(folder).versions("reader")
    assert (version.folder / "model.safetensors").read_bytes() == FILES["model.safetensors"]
    assert not (version.folder / "pytorch_model.bin").exists()


@pytest.mark.parametrize("broken", [None, "tokenizer.json"])
def test_a_checkpoint_comes_from_the_hub_as_a_whole_or_not_at_all(folder: Path, broken: str | None) -> None:
    with hub_with(FILES, broken) as url:
        environment = {**os.environ, "HF_ENDPOINT": url, "HF_HUB_OFFLINE": "0", "HF_HOME": str(folder.parent / "hf")}
        # In a process of its own: the library reads its environment when it is imported.
        program = [
            sys.executable,
            "-c",
            "from serve_app.commands.cli import main; main()",
            *_fetch(f"{REPOSITORY}@main"),
        ]
        done = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=600, check=False)
    versions = Registry(folder).versions("reader")
    if broken:
        assert done.returncode == 1, done.stdout
        assert versions == []
    else:
        assert done.returncode == 0, done.stderr
        assert versions[0].provenance.source == f"{REPOSITORY}@{COMMIT[:12]}"
        assert (versions[0].folder / "model.safetensors").read_bytes() == FILES["model.safetensors"]


def _fetch(source: str) -> tuple[str, ...]:
    return ("models", "fetch", source, "--as", "extractor", "--name", "reader")


def attempt_failing(*arguments: str) -> BaseException | None:
    """Why a command fails."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - told by its message
        attempt(*arguments)
    return caught.value
