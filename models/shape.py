"""What the service needs to know of a network, whatever runs it."""

from dataclasses import dataclass
from typing import Any

# Models whose positions start after the padding token's id.
_OFFSET_POSITIONS = frozenset({"roberta", "xlm-roberta", "camembert", "lilt", "layoutlmv3", "xlm-roberta-xl", "mpnet"})
LONGEST = 512
"""Tokens: no model is given more at a time."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A network's `kind` (transformers' `model_type`), its classes in the order of its output, and how many tokens it
    takes at a time, including its start and end marks."""

    kind: str
    classes: tuple[str, ...]
    most_tokens: int


def shape_of(config: Any) -> Shape:
    """The shape of a network with this transformers configuration, or with anything that has the same attributes."""
    return Shape(config.model_type, class_names(config), most_tokens(config))


def class_names(config: Any) -> tuple[str, ...]:
    """The names of the model's classes, in the order of its output."""
    names = config.id2label or {}
    return tuple(name for _, name in sorted((int(index), str(name)) for index, name in names.items()))


def most_tokens(config: Any) -> int:
    """How many tokens the model takes at a time, including its start and end marks; at most 512."""
    positions = int(getattr(config, "max_position_embeddings", None) or LONGEST)
    if config.model_type in _OFFSET_POSITIONS:
        positions -= (config.pad_token_id or 0) + 1
    return min(positions, LONGEST)
