"""Find a model's files."""

from dataclasses import dataclass
from pathlib import Path

from models.config import WEIGHTS, ModelConfig, ModelError
from models.registry.content import FILES
from models.registry.reference import HUB_ID


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model's files on this machine. `revision` is the name that they are to have in results; None: the one that
    the checkpoint itself gives."""

    folder: Path
    revision: str | None


def find_checkpoint(config: ModelConfig, bundled: Path = WEIGHTS) -> Checkpoint:
    """The model's files, downloaded from the Hub if `checkpoint` names a repository there; ModelError if there are
    none.

    Relative folders are below `bundled`.
    """
    folder = bundled / config.checkpoint
    if not folder.exists() and HUB_ID.match(config.checkpoint):
        folder = _fetch(config.checkpoint, config.revision)
        # A snapshot folder is named after its commit.
        return Checkpoint(folder, f"{config.checkpoint}@{folder.name[:12]}")
    if not (folder / "config.json").is_file():
        raise ModelError(f"no model in {folder}: config.json is missing")
    return Checkpoint(folder, config.revision)


def _fetch(repository: str, revision: str | None) -> Path:
    # Imported here because it takes 10 MB, and the bundled models are not fetched.
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    try:
        return Path(snapshot_download(repository, revision=revision, allow_patterns=FILES))
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ModelError(
            f"{repository} is not a local model folder, and it could not be downloaded from the Hub at revision "
            f"{revision or 'main'}: "
            f"{reason} (with HF_HUB_OFFLINE=1 only what was fetched before is there)"
        ) from error
