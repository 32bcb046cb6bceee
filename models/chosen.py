"""The model named on a command line."""

import json
from pathlib import Path
from typing import Any

import yaml

from models.config import WEIGHTS, ModelConfig, ModelError, parse_model
from models.registry.reference import HUB_ID, PREFIX, parse
from models.registry.registry import Registry
from models.registry.resolve import registry_folder, resolved, resolved_version
from serve_app.domain.suggestions import nearest_path


def chosen_model(named: str | None, default: ModelConfig) -> ModelConfig:
    """The configuration meant by `named`: a checkpoint folder (of the default's kind), a JSON or YAML file with a
    `user_config`, or a version (`registry://NAME@HASH`); the default if nothing is named. Raise ModelError if it is
    none of these."""
    if named is None:
        return default
    if named.startswith(PREFIX):
        return resolved_version(named)
    path = Path(named)
    if not path.exists():
        raise ModelError(f"{path}: there is no such checkpoint folder or file{nearest_path(path)}")
    if path.is_dir():
        config = default.model_copy(update={"checkpoint": str(path.absolute())})
        check_place(config)
        return config
    try:
        config = parse_model(_content(path))
        check_place(config)
        return resolved(config)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error


def check_place(config: ModelConfig) -> None:
    """Raise ModelError if the configuration names a folder without a checkpoint, or a version that is not in the
    registry. Nothing is loaded, and nobody is asked about models of the Hub or behind a server."""
    folder = WEIGHTS / config.checkpoint
    if config.endpoint is not None or (folder / "config.json").is_file():
        return
    if config.checkpoint.startswith(PREFIX):
        Registry(registry_folder()).find(parse(config.checkpoint))
    elif folder.exists():
        raise ModelError(f"no model in {folder}: config.json is missing")
    elif not HUB_ID.match(config.checkpoint):
        raise ModelError(f"no model in {folder}: there is no such folder{nearest_path(folder)}")


def _content(path: Path) -> Any:
    """A `user_config`; a checkpoint in it may be relative to its file."""
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ModelError(
            f"neither a checkpoint folder nor a JSON or YAML file: {' '.join(str(error).split())}"
        ) from error
    if isinstance(content, dict) and (path.parent / str(content.get("checkpoint", ""))).is_dir():
        return {**content, "checkpoint": str((path.parent / content["checkpoint"]).absolute())}
    return content
