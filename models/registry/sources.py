"""Where checkpoints are fetched from: a folder, S3, or the Hugging Face Hub."""

import shutil
from pathlib import Path

from models.config import ModelConfig, ModelError
from models.registry.content import FILES

S3 = "s3://"


def fetch(config: ModelConfig, target: Path) -> str:
    """Write the files of the configured checkpoint into a folder; returns where they came from. Raises ModelError if
    they cannot be had."""
    if config.checkpoint.startswith(S3):
        # Imported only if used.
        from models.registry.s3 import download

        download(config.checkpoint, target)
        return config.checkpoint
    # Imported here because the Hub's library takes a while.
    from models.checkpoint import find_checkpoint

    found = find_checkpoint(config)
    for path in sorted({path for pattern in FILES for path in found.folder.glob(pattern)}):
        # The Hub's files are links into its cache: what they point to is copied.
        if path.is_file():
            shutil.copyfile(path, target / path.name)
    is_hub = not Path(config.checkpoint).is_absolute() and found.revision is not None and "@" in found.revision
    return found.revision if is_hub and found.revision else str(found.folder.absolute())


def check_source(config: ModelConfig) -> None:
    """Raises ModelError for a model that has no checkpoint of its own."""
    if config.endpoint is not None:
        raise ModelError("a model behind a server has no files to store")


def check_loadable(config: ModelConfig, source: str) -> None:
    """Raises ModelError, which names the source, unless the checkpoint in the configured folder is complete and can be
    loaded: weights, kind, tokenizer and labels. A process of its own tries, within bounds of time and memory."""
    if not (Path(config.checkpoint) / "config.json").is_file():
        raise ModelError(f"no model in {source}: config.json is missing")
    # Imported here because it brings the runtimes of models.
    from models.footprint import loaded

    refused = loaded(config).refused
    if refused is not None:
        raise ModelError(f"{source} is refused: {refused.replace(config.checkpoint, source)}")
