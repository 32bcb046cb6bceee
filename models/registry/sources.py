"""Where checkpoints are fetched from: a folder, S3, or the Hugging Face Hub."""

import shutil
from pathlib import Path

from models.checkpoint import find_checkpoint
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
        raise ModelError("a model behind a server has no files to keep")


def check_kind(folder: Path, source: str) -> None:
    """Raises ModelError, which names the source, for a checkpoint that transformers does not know without code of its
    own."""
    if not (folder / "config.json").is_file():
        raise ModelError(f"no model in {source}: config.json is missing")
    # Imported here because transformers takes seconds.
    from models.pretrained import load_config

    try:
        load_config(folder)
    except ModelError as refused:
        raise ModelError(str(refused).replace(str(folder), source)) from refused
