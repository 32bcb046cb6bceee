"""The configuration of a model: the `user_config` of its deployment."""

from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from models.chat.endpoint import Endpoint
from serve_app.domain.labels import OUTSIDE, TAGS, Label
from serve_app.domain.suggestions import described, suggestion
from serve_app.domain.user_error import UserError

WEIGHTS = Path(__file__).parent / "weights"
# The most names that a message lists.
_LISTED = 12


class Adapter(StrEnum):
    """The kinds of model that the service supports."""

    LAYOUT_TOKENS = "layout_tokens"
    """Classifies the words of a page by text and position: LayoutLM, LayoutLMv3, LiLT, BROS."""
    TEXT_TOKENS = "text_tokens"
    """Classifies words by text alone: BERT, RoBERTa, XLM-R, DistilBERT, DeBERTa and similar models."""
    QUESTION_ANSWERING = "question_answering"
    """Finds the answer to one question per label; with positions (LayoutLM) or without (BERT and similar models)."""
    IMAGE_TO_SEQUENCE = "image_to_sequence"
    """Generates text from a picture of the page: Donut."""
    CHAT = "chat"
    """Asks a language model behind a server with OpenAI's chat protocol about words and picture of a page."""


class Precision(StrEnum):
    """The number type a model computes with; `auto` is float16 on a GPU (ADR 0106), and on a CPU whatever its runtime
    finds fastest there: OpenVINO takes bfloat16 on processors made for it, the others take float32."""

    AUTO = "auto"
    FLOAT32 = "float32"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"


class RuntimeKind(StrEnum):
    """What executes a model; `auto` is whichever measured fastest for its kind (ADR 0044)."""

    AUTO = "auto"
    TORCH = "torch"
    ONNX = "onnx"
    OPENVINO = "openvino"


class ModelError(UserError):
    """A model that cannot be used as configured; the message says why."""


class ModelConfig(BaseModel):
    """One model's configuration; docs/reference/model-configuration.md explains every key with examples.

    `checkpoint` is a folder in transformers format, absolute or relative to the bundled weights, a version of the
    registry (`registry://NAME@HASH`), or the id of a repository on the Hugging Face Hub (`owner/name`). For a
    repository, `revision` is the branch, tag or commit to download; for a folder, it is the name under which
    results name the model, instead of the checkpoint's own.
    `label_map` maps the model's classes (for `image_to_sequence`: the keys it writes) to labels or tags of
    `serve_app/domain/labels.py`, or to nothing. `device` is `auto` (a GPU if there is one), `cpu` or `cuda`.
    `token_budget` bounds a padded batch in tokens; None: what the memory of its device has room for. `licence` is an
    informal note. For `chat`, `checkpoint` is the model's name at the server that `endpoint` describes, and `fallback`
    the model that reads when the server does not answer. `gate` is the verdict that the model must have passed
    (`invoices models check`).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    adapter: Adapter
    checkpoint: str = Field(min_length=1)
    revision: str | None = Field(default=None, min_length=1)
    label_map: dict[str, str | None] | None = None
    precision: Precision = Precision.AUTO
    device: str = Field(default="auto", pattern=r"^(auto|cpu|cuda(:\d+)?)$")
    runtime: RuntimeKind = RuntimeKind.AUTO
    token_budget: int | None = Field(default=None, ge=512)
    questions: dict[Label, str] | None = None
    task_prompt: str | None = None
    endpoint: Endpoint | None = None
    fallback: "ModelConfig | None" = None
    gate: Path | None = None
    licence: str | None = None

    @field_validator("label_map")
    @classmethod
    def _check_targets(cls, label_map: dict[str, str | None] | None) -> dict[str, str | None] | None:
        known = {OUTSIDE, *TAGS, *Label}
        unknown = sorted({target for target in (label_map or {}).values() if target is not None} - known)
        if unknown:
            meant = suggestion(unknown[0], known)
            raise ValueError(f"unknown labels: {listed(unknown)}{meant}; the service's labels are {', '.join(Label)}")
        return label_map

    @model_validator(mode="after")
    def _check_adapter(self) -> "ModelConfig":
        if self.questions is not None and self.adapter is not Adapter.QUESTION_ANSWERING:
            raise ValueError("questions are for the adapter question_answering")
        if self.task_prompt is not None and self.adapter is not Adapter.IMAGE_TO_SEQUENCE:
            raise ValueError("task_prompt is for the adapter image_to_sequence")
        if self.label_map is not None and self.adapter is Adapter.QUESTION_ANSWERING:
            raise ValueError("question_answering takes questions, not a label_map: each question belongs to a label")
        if (self.endpoint is not None) != (self.adapter is Adapter.CHAT):
            raise ValueError("the adapter chat needs an endpoint, and no other adapter takes one")
        if self.fallback is not None and (self.adapter is not Adapter.CHAT or self.fallback.adapter is Adapter.CHAT):
            raise ValueError("a fallback is for the adapter chat, and is a model that runs here")
        if self.label_map is not None and self.adapter is Adapter.CHAT:
            raise ValueError("chat takes a prompt, not a label_map: the form of its answers is given")
        return self


EXTRACTOR = ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint="extractor")
VERIFIER = ModelConfig(adapter=Adapter.TEXT_TOKENS, checkpoint="verifier")
"""The bundled models."""


def parse_model(user_config: Any) -> ModelConfig:
    """The model that a `user_config` describes. Raises ModelError, which names the first key that is wrong."""
    try:
        return ModelConfig.model_validate(user_config)
    except ValidationError as error:
        raise ModelError(described(error, ModelConfig)) from error


def listed(names: list[str]) -> str:
    """The names for a message, shortened if there are many."""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
