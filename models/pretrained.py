"""Load what a checkpoint's folder holds with the auto classes of transformers.

Nothing else calls `from_pretrained`: a checkpoint is data, and code that it brings never runs (ADR 0126).
"""

from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from transformers import (
    AutoConfig,
    AutoImageProcessor,
    AutoProcessor,
    AutoTokenizer,
    PretrainedConfig,
    PreTrainedTokenizerFast,
)
from transformers.utils.logging import disable_progress_bar

from models.config import ModelError

# Loading takes a second, and a bar would stand between the lines of a log.
disable_progress_bar()  # type: ignore[no-untyped-call]
# transformers names the option in no other refusal.
_ASKS_TO_RUN_CODE = "trust_remote_code=True"


def load_config(checkpoint: Path) -> PretrainedConfig:
    """The configuration of a checkpoint; ModelError if transformers does not know the model's kind."""
    config: PretrainedConfig = _load(AutoConfig, checkpoint, "model", "is of an unsupported kind")
    return config


def load_weights(loader: Any, checkpoint: Path, **options: Any) -> Any:
    """What `loader`, an auto class of transformers, makes of a checkpoint's safetensors; `options` are those of
    transformers. ModelError if the files are damaged or of another kind."""
    return _load(loader, checkpoint, "model", use_safetensors=True, **options)


def load_tokenizer(checkpoint: Path) -> PreTrainedTokenizerFast:
    """The fast tokenizer of a checkpoint; ModelError if it has none."""
    tokenizer = _load(AutoTokenizer, checkpoint, "tokenizer")
    if not isinstance(tokenizer, PreTrainedTokenizerFast):
        raise ModelError(f"the tokenizer in {checkpoint} has no fast version (tokenizer.json)")
    return tokenizer


def load_image_processor(checkpoint: Path) -> Any:
    """What prepares pictures for a checkpoint's network; ModelError if it cannot be loaded."""
    return _load(AutoImageProcessor, checkpoint, "image processor")


def load_processor(checkpoint: Path) -> Any:
    """Tokenizer and image processor of a vision language model together; ModelError if they cannot be loaded."""
    return _load(AutoProcessor, checkpoint, "processor")


def _load(loader: Any, checkpoint: Path, part: str, problem: str = "cannot be loaded", **options: Any) -> Any:
    try:
        return loader.from_pretrained(checkpoint, trust_remote_code=False, local_files_only=True, **options)
    except (OSError, ValueError, RuntimeError, KeyError, ImportError, SafetensorError) as error:
        reason = " ".join(str(error).split())
        if _ASKS_TO_RUN_CODE in reason:
            raise ModelError(
                f"the {part} in {checkpoint} asks to run its own code (auto_map in its JSON files), and code of a "
                "checkpoint never runs here. Use a checkpoint of a kind that transformers supports by itself."
            ) from error
        raise ModelError(f"the {part} in {checkpoint} {problem}: {reason}") from error
