"""Which model reads: configuration in, a ready model out."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import torch
from pydantic import BaseModel, ConfigDict, Field
from transformers import AutoModelForTokenClassification
from transformers.utils.logging import disable_progress_bar

from models.encoding import LayoutEncoder, PageEncoder, TextEncoder
from models.fused_attention import fuse_attention
from models.pieces import WordPieces
from models.token_model import TokenClassifier, TokenModel, tags_of
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.labels import TAGS

WEIGHTS = Path(__file__).parent / "weights"


class Adapter(StrEnum):
    """The kinds of model the service can drive."""

    LAYOUT_TOKENS = "layout_tokens"
    TEXT_TOKENS = "text_tokens"


class Precision(StrEnum):
    FLOAT32 = "float32"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"


class ModelError(ValueError):
    """A model that cannot be used as configured; the message says why."""


class ModelConfig(BaseModel):
    """One model's configuration: the `user_config` of its deployment.

    `checkpoint` is a folder in transformers format, absolute or relative to the bundled weights. `device` is `auto`
    (a GPU when there is one), `cpu` or `cuda`. `token_budget` bounds a padded batch in tokens.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    adapter: Adapter
    checkpoint: str
    revision: str | None = None
    precision: Precision = Precision.FLOAT32
    device: str = "auto"
    token_budget: int = Field(default=2048, ge=512)


EXTRACTOR = ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint="extractor")
VERIFIER = ModelConfig(adapter=Adapter.TEXT_TOKENS, checkpoint="verifier")

_ENCODERS: dict[Adapter, Callable[[WordPieces], PageEncoder]] = {
    Adapter.LAYOUT_TOKENS: LayoutEncoder,
    Adapter.TEXT_TOKENS: TextEncoder,
}


def load_model(config: ModelConfig) -> TokenModel:
    """Load and self-test a model; raise ModelError when it cannot serve."""
    folder = WEIGHTS / config.checkpoint
    if not (folder / "config.json").is_file():
        raise ModelError(f"no model in {folder}: config.json is missing")
    disable_progress_bar()  # type: ignore[no-untyped-call]
    device = _device(config.device)
    model = AutoModelForTokenClassification.from_pretrained(
        folder, dtype=getattr(torch, config.precision), local_files_only=True
    )
    _check_tags(tags_of(model))
    classifier = TokenClassifier(
        fuse_attention(model.to(device)),
        _ENCODERS[config.adapter](WordPieces(folder)),
        revision=config.revision or str(getattr(model.config, "revision", folder.name)),
        uses_boxes=config.adapter is Adapter.LAYOUT_TOKENS,
        token_budget=config.token_budget,
    )
    _self_test(classifier)
    return classifier


def _device(name: str) -> torch.device:
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.device(name)


def _check_tags(tags: tuple[str, ...]) -> None:
    unknown = sorted(set(tags) - set(TAGS))
    if unknown:
        raise ModelError(f"the model has labels that the service does not know: {', '.join(unknown)}")


def _self_test(model: TokenModel) -> None:
    words = tuple(Word(text, Box(0.1, 0.1 * n, 0.3, 0.1 * n + 0.02)) for n, text in enumerate(("Invoice", "No.", "17")))
    document = Document((Page(1, 595, 842, words),))
    (reading,) = model.read([document])
    reading.check_against(document)
    if not all(bool((page.scores >= 0).all()) for page in reading.pages):
        raise ModelError("the model's self-test gave scores that are no probabilities")
