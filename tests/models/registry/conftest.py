"""A registry, and checkpoints that are no models: nothing here loads them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

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
