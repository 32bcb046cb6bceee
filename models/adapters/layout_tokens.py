"""Token classifiers that see words with their positions: LayoutLM, LayoutLMv3, LiLT, BROS, and this project's own."""

from transformers import AutoModelForTokenClassification, PretrainedConfig

from models.adapters.own import is_own
from models.checkpoint import Checkpoint, class_names, load_network
from models.config import ModelConfig, ModelError
from models.encoding import LayoutEncoder
from models.fused_attention import fuse_attention
from models.label_map import LabelMap
from models.pictures import PagePixels
from models.pieces import Corners, ForeignPieces, Pieces, WordPieces
from models.runtimes import runtime_for
from models.token_model import TokenClassifier

# The position of the end mark in each kind's training (Xu et al., 2020; Hong et al., 2022), in thousandths of the page.
_CORNER: Corners = (1000, 1000, 1000, 1000)
_ORIGIN: Corners = (0, 0, 0, 0)
INPUTS = ("input_ids", "attention_mask", "bbox")
END_BOXES: dict[str, Corners] = {"layoutlm": _CORNER, "bros": _CORNER, "lilt": _ORIGIN, "layoutlmv3": _ORIGIN}


def layout_tokens(checkpoint: Checkpoint, config: ModelConfig) -> TokenClassifier:
    """Load a checkpoint's model; raise ModelError if it is of another kind."""
    kind = checkpoint.config.model_type
    if kind not in END_BOXES:
        raise ModelError(f"layout_tokens is for {', '.join(sorted(END_BOXES))}; this checkpoint is a {kind}")
    labels = LabelMap(class_names(checkpoint.config), config.label_map)
    model = fuse_attention(load_network(AutoModelForTokenClassification, checkpoint, config))
    pixels = PagePixels(checkpoint.folder) if looks_at_pictures(checkpoint.config) else None
    return TokenClassifier(
        model,
        LayoutEncoder(_pieces(checkpoint)),
        revision=checkpoint.revision,
        uses_boxes=True,
        token_budget=config.token_budget,
        labels=labels,
        runtime=runtime_for(model, config, (*INPUTS, *(("pixel_values",) if pixels else ()))),
        pixels=pixels,
    )


def _pieces(checkpoint: Checkpoint) -> Pieces:
    if is_own(checkpoint):
        return WordPieces(checkpoint.folder)
    return ForeignPieces(checkpoint.folder, END_BOXES[checkpoint.config.model_type])


def looks_at_pictures(config: PretrainedConfig) -> bool:
    """Whether the model was trained on pictures of pages as well as words."""
    return config.model_type == "layoutlmv3" and bool(config.visual_embed)
