"""A registry, checkpoints that are no models for tests that load none, and copies of the bundled extractor."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from models.config import WEIGHTS
from models.registry.registry import Registry

Write = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The registry's folder, as MODEL_REGISTRY says."""
    monkeypatch.setenv("MODEL_REGISTRY", str(tmp_path / "registry"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "registry"


@pytest.fixture
def registry(folder: Path) -> Registry:
    return Registry(folder)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a folder with these weights."""

    def write(weights: bytes = b"weights", name: str = "trained") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "config.json").write_text(json.dumps({"model_type": "bert"}))
        (folder / "model.safetensors").write_bytes(weights)
        (folder / "pytorch_model.bin").write_bytes(b"a pickle, which could run code")
        return folder

    return write


@pytest.fixture
def trained(tmp_path: Path) -> Write:
    """Writes a model that can be loaded, of a number and into a folder of this name."""

    def write(number: int = 0, name: str = "trained") -> Path:
        folder = tmp_path / name
        shutil.copytree(WEIGHTS / "extractor", folder)
        weights = bytearray((folder / "model.safetensors").read_bytes())
        weights[-2] ^= number
        (folder / "model.safetensors").write_bytes(weights)
        (folder / "pytorch_model.bin").write_bytes(b"a pickle, which could run code")
        return folder

    return write
