"""Token classifiers that see words with their positions: LayoutLM, LayoutLMv3, LiLT, BROS, and this project's own."""

from transformers import AutoModelForTokenClassification, PretrainedConfig

from models.config import ModelConfig, ModelError
from models.encoding import LayoutEncoder
from models.foreign_pieces import ForeignPieces
from models.fused_attention import fuse_attention
from models.label_map import LabelMap
from models.network import NetworkFiles, load_network
from models.own import is_own
from models.pictures import PagePixels
from models.pieces import Corners, Pieces, WordPieces
from models.runtimes import runtime_for
from models.shape import shape_of
from models.token_inputs import TokenInputs
from models.token_model import TokenClassifier

# The position of the end mark in each kind's training (Xu et al., 2020; Hong et al., 2022), in thousandths of the page.
_CORNER: Corners = (1000, 1000, 1000, 1000)
_ORIGIN: Corners = (0, 0, 0, 0)
INPUTS = ("input_ids", "attention_mask", "bbox")
END_BOXES: dict[str, Corners] = {"layoutlm": _CORNER, "bros": _CORNER, "lilt": _ORIGIN, "layoutlmv3": _ORIGIN}


def layout_tokens(checkpoint: NetworkFiles, config: ModelConfig) -> TokenClassifier:
    """Load a checkpoint's model; raise ModelError if it is of another kind."""
    inputs = layout_inputs(checkpoint)
    shape = shape_of(checkpoint.config)
    labels = LabelMap(shape.classes, config.label_map)
    model = fuse_attention(load_network(AutoModelForTokenClassification, checkpoint, config))
    return TokenClassifier(
        runtime_for(model, config, (*INPUTS, *(("pixel_values",) if inputs.pixels else ()))),
        shape,
        inputs.encoder,
        revision=checkpoint.revision,
        uses_boxes=True,
        token_budget=config.token_budget,
        labels=labels,
        pixels=inputs.pixels,
    )


def layout_inputs(checkpoint: NetworkFiles) -> TokenInputs:
    """What such a model is shown; raise ModelError if it is of another kind, or if its tokenizer or image processor
    cannot be used."""
    kind = checkpoint.config.model_type
    if kind not in END_BOXES:
        raise ModelError(f"layout_tokens is for {', '.join(sorted(END_BOXES))}; this checkpoint is a {kind}")
    return TokenInputs(
        LayoutEncoder(_pieces(checkpoint)),
        kind,
        uses_boxes=True,
        pixels=PagePixels(checkpoint.folder) if looks_at_pictures(checkpoint.config) else None,
    )


def _pieces(checkpoint: NetworkFiles) -> Pieces:
    if is_own(checkpoint.folder):
        return WordPieces(checkpoint.folder)
    return ForeignPieces(checkpoint.folder, END_BOXES[checkpoint.config.model_type])


def looks_at_pictures(config: PretrainedConfig) -> bool:
    """Whether the model was trained on pictures of pages as well as words."""
    return config.model_type == "layoutlmv3" and bool(config.visual_embed)
