"""Token classifiers that see only words: BERT, RoBERTa, XLM-R, DistilBERT, DeBERTa ..., and this project's own."""

from transformers import AutoModelForTokenClassification

from models.adapters.layout_tokens import END_BOXES
from models.config import ModelConfig, ModelError
from models.encoding import LayoutEncoder, PageEncoder, TextEncoder
from models.foreign_pieces import ForeignPieces
from models.label_map import LabelMap
from models.network import NetworkFiles, load_network
from models.own import is_own
from models.pieces import WordPieces
from models.runtimes import runtime_for
from models.shape import shape_of
from models.token_inputs import TokenInputs
from models.token_model import TokenClassifier


def text_tokens(checkpoint: NetworkFiles, config: ModelConfig) -> TokenClassifier:
    """Load a checkpoint's model; raise ModelError if it needs positions."""
    inputs = text_inputs(checkpoint)
    shape = shape_of(checkpoint.config)
    labels = LabelMap(shape.classes, config.label_map)
    model = load_network(AutoModelForTokenClassification, checkpoint, config)
    return TokenClassifier(
        runtime_for(model, config, inputs=("input_ids", "attention_mask")),
        shape,
        inputs.encoder,
        revision=checkpoint.revision,
        uses_boxes=False,
        token_budget=config.token_budget,
        labels=labels,
    )


def text_inputs(checkpoint: NetworkFiles) -> TokenInputs:
    """What such a model is shown; raise ModelError if it needs positions, or if its tokenizer cannot be used."""
    kind = checkpoint.config.model_type
    if kind in END_BOXES:
        raise ModelError(f"a {kind} model needs the positions of words: use the adapter layout_tokens")
    return TokenInputs(_encoder(checkpoint), kind, uses_boxes=False)


def _encoder(checkpoint: NetworkFiles) -> PageEncoder:
    """Words in reading order; this project's own models expect marks for lines and columns between them."""
    if is_own(checkpoint.folder):
        return TextEncoder(WordPieces(checkpoint.folder))
    return LayoutEncoder(ForeignPieces(checkpoint.folder))
