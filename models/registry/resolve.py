"""A configuration that names a version becomes one that names its folder."""

import json
import logging
from pathlib import Path

from models.config import ModelConfig, ModelError
from models.registry.history import What
from models.registry.reference import PREFIX, parse
from models.registry.registry import Registry
from serve_app.settings.reading import read_settings

log = logging.getLogger(__name__)


def registry_folder() -> Path:
    """Where the registry is, as MODEL_REGISTRY says."""
    return Path(read_settings().model_registry)


def resolved(config: ModelConfig, folder: Path | None = None) -> ModelConfig:
    """The configuration with the folder of its version, once the version's files have been found whole. `folder` is
    the registry's; None: as MODEL_REGISTRY says. Any other configuration stays as it is. Raises ModelError if there is
    no such version, or if it was altered."""
    if not config.checkpoint.startswith(PREFIX):
        return config
    registry = Registry(folder or registry_folder())
    version = registry.find(parse(config.checkpoint))
    found = registry.checked(version)
    revision = config.revision or (None if _names_itself(found) else f"{version.name}@{version.hash[:12]}")
    return config.model_copy(update={"checkpoint": str(found.absolute()), "revision": revision})


def resolved_version(reference: str) -> ModelConfig:
    """The configuration with which a version is used, with its folder. Raises ModelError as `resolved` does."""
    version = Registry(registry_folder()).find(parse(reference))
    return resolved(ModelConfig.model_validate({**version.provenance.model, "checkpoint": version.reference}))


def note_loaded(config: ModelConfig, folder: Path, by: str) -> None:
    """Note in the history that a replica has loaded the version that the configuration names, if it names one. A
    registry that cannot be written to, such as one that is mounted to be read, stays without the note."""
    if not config.checkpoint.startswith(PREFIX):
        return
    registry = Registry(folder)
    try:
        version = registry.find(parse(config.checkpoint))
        registry.history(version.name).add(What.LOADED, version.hash, by=by)
    except (OSError, ModelError) as error:
        log.warning("not recorded in the registry: %s", error)


def _names_itself(folder: Path) -> bool:
    """Whether the checkpoint says what results are to call it."""
    return "revision" in json.loads((folder / "config.json").read_text(encoding="utf-8"))
