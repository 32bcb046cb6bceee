"""Checkpoints with random weights, of each kind that an adapter takes, at any scale."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from transformers import (
    BertConfig,
    BertForQuestionAnswering,
    BertForTokenClassification,
    BrosConfig,
    BrosForTokenClassification,
    DebertaV2Config,
    DebertaV2ForTokenClassification,
    DonutSwinConfig,
    LayoutLMConfig,
    LayoutLMForQuestionAnswering,
    LayoutLMForTokenClassification,
    LayoutLMv3Config,
    LayoutLMv3ForTokenClassification,
    LiltConfig,
    LiltForTokenClassification,
    MBartConfig,
    MBartForCausalLM,
    ModernBertConfig,
    ModernBertForTokenClassification,
    PreTrainedModel,
    VisionEncoderDecoderConfig,
    VisionEncoderDecoderModel,
)

from models.config import Adapter

Made = tuple[PreTrainedModel, Any]
# DeBERTa's attention (He et al., 2021).
_DEBERTA_V3: dict[str, Any] = {
    "relative_attention": True,
    "pos_att_type": ["p2c", "c2p"],
    "share_att_key": True,
    "position_buckets": 256,
    "norm_rel_ebd": "layer_norm",
    "position_biased_input": False,
    "type_vocab_size": 0,
}
_PLACES: dict[str, Any] = {"max_2d_position_embeddings": 1024}
# The places of BROS need as much.
_LEAST_FOR_BROS = 64


@dataclass(frozen=True, slots=True)
class Scale:
    """How large networks are (`sizes`, in the words of transformers), the `classes` of those that tag words, and the
    tokenizers that they bring. Pictures have `pixels` on each side, in patches of `patch`; those of the Donut have the
    `image_size` of `swin`, which is its encoder."""

    sizes: Mapping[str, Any]
    classes: Sequence[str]
    word_pieces: Callable[[], Any]
    byte_pairs: Callable[[], Any]
    unigrams: Callable[[], Any]
    pixels: int
    patch: int
    swin: Mapping[str, Any]

    @property
    def width(self) -> int:
        return int(self.sizes["hidden_size"])

    @property
    def tags(self) -> dict[str, Any]:
        """The settings of a network that tags words."""
        return {
            "id2label": dict(enumerate(self.classes)),
            "label2id": {name: index for index, name in enumerate(self.classes)},
        }


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of model: its adapter, and a network with its tokenizer; if it looks at pages, the name of
    its image processor, and the height and width of its pictures in pixels."""

    adapter: Adapter
    make: Callable[[], Made]
    picture: tuple[str, int, int] | None = None


def kinds(scale: Scale) -> dict[str, Kind]:
    """Every kind, by name."""
    layout, text, asked = Adapter.LAYOUT_TOKENS, Adapter.TEXT_TOKENS, Adapter.QUESTION_ANSWERING
    of = partial(made, scale)
    height, width = scale.swin["image_size"]
    wide = {"hidden_size": max(scale.width, _LEAST_FOR_BROS)}
    tags, pieces, pairs = scale.tags, scale.word_pieces, scale.byte_pairs
    return {
        "layoutlm": Kind(layout, of(LayoutLMConfig, LayoutLMForTokenClassification, pieces, **_PLACES, **tags)),
        "layoutlmv3": Kind(layout, partial(_v3, scale, visual_embed=False)),
        "layoutlmv3 with pictures": Kind(
            layout,
            partial(_v3, scale, input_size=scale.pixels, patch_size=scale.patch),
            ("LayoutLMv3ImageProcessor", scale.pixels, scale.pixels),
        ),
        "lilt": Kind(layout, of(LiltConfig, LiltForTokenClassification, pairs, **_PLACES, **tags)),
        "bros": Kind(layout, of(BrosConfig, BrosForTokenClassification, pieces, **wide, **tags)),
        "bert": Kind(text, of(BertConfig, BertForTokenClassification, pieces, **tags)),
        "deberta": Kind(
            text, of(DebertaV2Config, DebertaV2ForTokenClassification, scale.unigrams, **_DEBERTA_V3, **tags)
        ),
        "modernbert": Kind(text, partial(_modern, scale)),
        "layoutlm questions": Kind(asked, of(LayoutLMConfig, LayoutLMForQuestionAnswering, pieces, **_PLACES)),
        "bert questions": Kind(asked, of(BertConfig, BertForQuestionAnswering, pieces)),
        "donut": Kind(Adapter.IMAGE_TO_SEQUENCE, partial(_donut, scale), ("DonutImageProcessor", height, width)),
    }


def write_blank(kind: Kind, folder: Path) -> Path:
    """A checkpoint of the kind; the same one each time."""
    torch.manual_seed(0)
    network, tokenizer = kind.make()
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    if kind.picture:
        write_image_processor(folder, *kind.picture)
    return folder


def write_image_processor(folder: Path, name: str, height: int, width: int) -> None:
    """The settings of an image processor for pictures of this size in pixels."""
    settings = {"image_processor_type": name, "size": {"height": height, "width": width}, "apply_ocr": False}
    (folder / "preprocessor_config.json").write_text(json.dumps(settings))


def made(scale: Scale, config: Any, model: Any, words: Callable[[], Any], **more: Any) -> Callable[[], Made]:
    """Makes a network of these classes of transformers."""

    def make() -> Made:
        tokenizer = words()
        settings = {**_marks(tokenizer), **scale.sizes, **more}
        return model(config(vocab_size=len(tokenizer), **settings)), tokenizer

    return make


def _marks(tokenizer: Any) -> dict[str, Any]:
    return {
        "pad_token_id": tokenizer.pad_token_id,
        "bos_token_id": tokenizer.cls_token_id,
        "eos_token_id": tokenizer.sep_token_id,
    }


def _v3(scale: Scale, **more: Any) -> Made:
    sixth = scale.width // 6
    settings = {**_PLACES, "coordinate_size": sixth, "shape_size": sixth, **scale.tags, **more}
    return made(scale, LayoutLMv3Config, LayoutLMv3ForTokenClassification, scale.byte_pairs, **settings)()


def _modern(scale: Scale) -> Made:
    tokenizer = scale.byte_pairs()
    marks = {"cls_token_id": tokenizer.cls_token_id, "sep_token_id": tokenizer.sep_token_id, **scale.tags}
    return made(scale, ModernBertConfig, ModernBertForTokenClassification, lambda: tokenizer, **marks)()


def _donut(scale: Scale) -> Made:
    """Donut's encoder and decoder."""
    tokenizer = scale.byte_pairs()
    settings: dict[str, Any] = {
        "d_model": scale.width // 2,
        "decoder_layers": 2,
        "decoder_attention_heads": scale.sizes["num_attention_heads"],
        "decoder_ffn_dim": scale.sizes["intermediate_size"],
        "max_position_embeddings": 256,
        "is_decoder": True,
        "add_cross_attention": True,
        **_marks(tokenizer),
    }
    decoder = MBartConfig(vocab_size=len(tokenizer), **settings)
    config = VisionEncoderDecoderConfig.from_encoder_decoder_configs(DonutSwinConfig(**scale.swin), decoder)
    config.decoder_start_token_id = tokenizer.cls_token_id
    config.pad_token_id, config.eos_token_id = tokenizer.pad_token_id, tokenizer.sep_token_id
    network: Any = VisionEncoderDecoderModel
    return network(config=config, decoder=MBartForCausalLM(decoder)), tokenizer
