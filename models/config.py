"""What may be said about a model: the `user_config` of its deployment."""

from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from serve_app.domain.labels import OUTSIDE, TAGS, Label
from serve_app.domain.user_error import UserError

WEIGHTS = Path(__file__).parent / "weights"
# Of every parameter the most that a message lists.
_LISTED = 12


class Adapter(StrEnum):
    """The kinds of model the service can drive."""

    LAYOUT_TOKENS = "layout_tokens"
    """Classifies the words of a page by text and place: LayoutLM, LayoutLMv3, LiLT, BROS."""
    TEXT_TOKENS = "text_tokens"
    """Classifies words by text alone: BERT, RoBERTa, XLM-R, DistilBERT, DeBERTa and their like."""
    QUESTION_ANSWERING = "question_answering"
    """Points at the answer to a question for each label; with places (LayoutLM) or without (BERT and its like)."""
    IMAGE_TO_SEQUENCE = "image_to_sequence"
    """Writes down what a picture of the page says: Donut."""


class Precision(StrEnum):
    """The numbers a model computes with; `auto` is bfloat16 on a GPU and float32 on a CPU."""

    AUTO = "auto"
    FLOAT32 = "float32"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"


class RuntimeKind(StrEnum):
    """What executes a model; `auto` is what measured faster for its kind (ADR 0016)."""

    AUTO = "auto"
    TORCH = "torch"
    ONNX = "onnx"


class ModelError(UserError):
    """A model that cannot be used as configured; the message says why."""


class ModelConfig(BaseModel):
    """One model's configuration; docs/ml-engineer.md explains every key with examples.

    `checkpoint` is a folder in transformers format, absolute or relative to the bundled weights, or the id of a
    repository on the Hugging Face hub (`owner/name`). For a repository `revision` is the branch, tag or commit to
    fetch; for a folder it is the name that results give the model, in place of the checkpoint's own.
    `label_map` leads from the model's classes (for `image_to_sequence`: the keys it writes) to labels or tags of
    `serve_app/domain/labels.py`, or to nothing. `device` is `auto` (a GPU when there is one), `cpu` or `cuda`.
    `token_budget` bounds a padded batch in tokens. `licence` is a note for people.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    adapter: Adapter
    checkpoint: str = Field(min_length=1)
    revision: str | None = Field(default=None, min_length=1)
    label_map: dict[str, str | None] | None = None
    precision: Precision = Precision.AUTO
    device: str = Field(default="auto", pattern=r"^(auto|cpu|cuda(:\d+)?)$")
    runtime: RuntimeKind = RuntimeKind.AUTO
    token_budget: int = Field(default=2048, ge=512)
    questions: dict[Label, str] | None = None
    task_prompt: str | None = None
    licence: str | None = None

    @field_validator("label_map")
    @classmethod
    def _check_targets(cls, label_map: dict[str, str | None] | None) -> dict[str, str | None] | None:
        known = {OUTSIDE, *TAGS, *Label}
        unknown = sorted({target for target in (label_map or {}).values() if target is not None} - known)
        if unknown:
            raise ValueError(f"no labels of the service: {listed(unknown)}; there are {', '.join(Label)}")
        return label_map

    @model_validator(mode="after")
    def _check_adapter(self) -> "ModelConfig":
        if self.questions is not None and self.adapter is not Adapter.QUESTION_ANSWERING:
            raise ValueError("questions are for the adapter question_answering")
        if self.task_prompt is not None and self.adapter is not Adapter.IMAGE_TO_SEQUENCE:
            raise ValueError("task_prompt is for the adapter image_to_sequence")
        if self.label_map is not None and self.adapter is Adapter.QUESTION_ANSWERING:
            raise ValueError("question_answering takes questions, not a label_map: each question is asked for a label")
        return self


def listed(names: list[str]) -> str:
    """The names for a message; the first of many."""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
