"""LLaVA (Liu et al., 2023), small enough to be trained from random weights in minutes."""

from dataclasses import dataclass
from typing import Any

from tokenizers import Tokenizer
from transformers import (
    CLIPImageProcessorPil,
    CLIPVisionConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
    PreTrainedTokenizerFast,
)

IMAGE, ASK, ANSWER, END, PAD = "<image>", "<|ask|>", "<|answer|>", "<|end|>", "<|pad|>"
SPECIAL = [PAD, END, IMAGE, ASK, ANSWER]


@dataclass(frozen=True, slots=True)
class Size:
    """Pixels of a picture and of a patch on each side; layers and heads of the picture's network; layers, width and
    most tokens of the language model, and whether it writes with the embeddings that it reads with."""

    side: int
    patch: int
    vision_layers: int
    vision_heads: int
    text_layers: int
    text_width: int
    tokens: int
    ties: bool = False


def make_network(tokenizer: Any, size: Size) -> Any:
    """A network of random weights, by torch's seed."""
    ids = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id, "bos_token_id": None}
    vision = CLIPVisionConfig(
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=size.vision_layers,
        num_attention_heads=size.vision_heads,
        image_size=size.side,
        patch_size=size.patch,
    )
    text = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=size.text_width,
        intermediate_size=2 * size.text_width,
        num_hidden_layers=size.text_layers,
        num_attention_heads=4,
        max_position_embeddings=size.tokens,
        tie_word_embeddings=size.ties,
        **ids,
    )
    config = LlavaConfig(
        vision_config=vision,
        text_config=text,
        image_token_index=tokenizer.convert_tokens_to_ids(IMAGE),
        image_seq_length=(size.side // size.patch) ** 2,
        tie_word_embeddings=size.ties,
        **ids,
    )
    return LlavaForConditionalGeneration(config)


def make_processor(tokenizer: Tokenizer, size: Size, template: str, *, mean: list[float], std: list[float]) -> Any:
    """The processor of such a network: its tokens, pictures of its size less `mean` by `std`, and its chat template."""
    fast: Any = PreTrainedTokenizerFast
    made: Any = LlavaProcessor
    return made(
        CLIPImageProcessorPil(
            size={"height": size.side, "width": size.side}, do_center_crop=False, image_mean=mean, image_std=std
        ),
        fast(tokenizer_object=tokenizer, pad_token=PAD, eos_token=END),
        patch_size=size.patch,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,  # CLIP's first token, which that strategy leaves out
        chat_template=template,
    )
