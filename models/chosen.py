"""The model named on a command line."""

import json
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from models.config import ModelConfig, ModelError
from models.registry.reference import PREFIX
from models.registry.resolve import resolved, resolved_version


def chosen_model(named: str | None, default: ModelConfig) -> ModelConfig:
    """The configuration meant by `named`: a checkpoint folder (of the default's kind), a JSON or YAML file with a
    `user_config`, or a version (`registry://NAME@HASH`); the default if nothing is named. Raise ModelError if it is
    none of these."""
    if named is None:
        return default
    if named.startswith(PREFIX):
        return resolved_version(named)
    path = Path(named)
    if path.is_dir():
        return default.model_copy(update={"checkpoint": str(path.absolute())})
    try:
        return resolved(ModelConfig.model_validate(_content(path)))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ModelError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def _content(path: Path) -> Any:
    """A `user_config`; a checkpoint in it may be relative to its file."""
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ModelError(f"{path}: neither a checkpoint folder nor a JSON or YAML file: {error}") from error
    if isinstance(content, dict) and (path.parent / str(content.get("checkpoint", ""))).is_dir():
        return {**content, "checkpoint": str((path.parent / content["checkpoint"]).absolute())}
    return content
