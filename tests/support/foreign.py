"""Tiny checkpoints of the kinds that others publish: random weights, tokenizers made on the spot."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, normalizers, pre_tokenizers, processors
from tokenizers.models import BPE, Unigram, WordPiece
from transformers import (
    BertConfig,
    DistilBertConfig,
    DistilBertForTokenClassification,
    DonutSwinConfig,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForQuestionAnswering,
    RobertaForTokenClassification,
    RobertaTokenizerFast,
    VisionEncoderDecoderConfig,
    VisionEncoderDecoderModel,
)

from benchmarks.adapters.blank import Kind, Scale, kinds, made, write_blank, write_image_processor
from models.config import Adapter

CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,-/:%$ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# What a model of receipts calls its classes: with prefixes, one without, and one that the service has no label for.
CLASSES = ("O", "B-total.price", "I-total.price", "B-store", "I-store", "invoice_no", "B-menu.note")
LABEL_MAP = {"total.price": "TOTAL", "store": "SELLER", "invoice_no": "INVOICE_NUMBER", "menu.note": None}
POSITIONS = 64
PIXELS = 32
# The keys that the tiny Donut knows.
DONUT_KEYS = ("total", "price", "store", "note")

_SHAPE: dict[str, Any] = {
    "hidden_size": 24,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": POSITIONS,
}
_SWIN: dict[str, Any] = {
    "image_size": [PIXELS, PIXELS],
    "patch_size": 4,
    "embed_dim": 8,
    "depths": [1],
    "num_heads": [2],
    "window_size": 4,
}


def write_foreign(kind: str, folder: Path) -> Path:
    """A checkpoint of one of `KINDS`."""
    return write_blank(KINDS[kind], folder)


def wordpiece() -> Any:
    """As BERT's."""
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokens = [*specials, *CHARACTERS, *(f"##{character}" for character in CHARACTERS)]
    tokenizer = Tokenizer(WordPiece({token: id_ for id_, token in enumerate(tokens)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    marks = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]"}
    return _fast(tokenizer, marks)


def byte_pairs() -> Any:
    """As RoBERTa's: the space before a word belongs to its first piece."""
    specials = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("Ġ", "t"), ("Ġt", "o"), ("a", "l")]
    tokens = [*specials, *letters, *("".join(merge) for merge in merges)]
    vocabulary = {token: id_ for id_, token in enumerate(tokens)}
    tokenizer = Tokenizer(BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    made: Any = RobertaTokenizerFast
    return made(tokenizer_object=tokenizer, vocab=vocabulary, merges=merges)


def unigram() -> Any:
    """As the SentencePiece models of XLM-R and DeBERTa."""
    pieces = [("[PAD]", 0.0), ("[CLS]", 0.0), ("[SEP]", 0.0), ("[UNK]", 0.0), ("▁", -2.0), ("▁to", -1.0)]
    tokenizer = Tokenizer(Unigram([*pieces, *((character, -3.0) for character in CHARACTERS)], unk_id=3))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return _fast(tokenizer, {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]"})


def _fast(tokenizer: Tokenizer, marks: dict[str, str]) -> Any:
    made: Any = PreTrainedTokenizerFast
    return made(tokenizer_object=tokenizer, **{f"{name}_token": mark for name, mark in marks.items()})


SCALE = Scale(_SHAPE, CLASSES, wordpiece, byte_pairs, unigram, PIXELS, patch=16, swin=_SWIN)
_of = partial(made, SCALE)
KINDS = {
    **kinds(SCALE),
    "roberta": Kind(Adapter.TEXT_TOKENS, _of(RobertaConfig, RobertaForTokenClassification, byte_pairs, **SCALE.tags)),
    "distilbert": Kind(
        Adapter.TEXT_TOKENS,
        _of(DistilBertConfig, DistilBertForTokenClassification, wordpiece, hidden_dim=32, **SCALE.tags),
    ),
    "roberta questions": Kind(
        Adapter.QUESTION_ANSWERING, _of(RobertaConfig, RobertaForQuestionAnswering, byte_pairs, type_vocab_size=1)
    ),
}


def write_donut(folder: Path, written: list[str] | None = None, keys: Sequence[str] = DONUT_KEYS) -> Path:
    """A VisionEncoderDecoder with Donut's encoder, which knows some keys. `written` are the tokens that it writes,
    whatever it is shown."""
    torch.manual_seed(0)
    tokenizer = wordpiece()
    tokenizer.add_tokens(["<s_invoice>", *(f"<{end}s_{key}>" for key in keys for end in ("", "/")), "<sep/>"])
    encoder = DonutSwinConfig(**_SWIN)
    decoder = BertConfig(
        vocab_size=len(tokenizer), **_SHAPE, is_decoder=True, add_cross_attention=True, tie_word_embeddings=False
    )
    config = VisionEncoderDecoderConfig.from_encoder_decoder_configs(encoder, decoder)
    config.decoder_start_token_id = tokenizer.convert_tokens_to_ids("<s_invoice>")
    config.pad_token_id, config.eos_token_id = tokenizer.pad_token_id, tokenizer.sep_token_id
    model: Any = VisionEncoderDecoderModel(config=config)
    if written is not None:
        _teach(model, tokenizer.convert_tokens_to_ids(written), config.eos_token_id)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    write_image_processor(folder, "DonutImageProcessor", PIXELS, PIXELS)
    return folder


def _teach(model: Any, ids: list[int], end: int) -> None:
    """Make the decoder answer to each position with one token: its state is the position, its head a table of them."""
    bert, head = model.decoder.bert, model.decoder.cls.predictions
    with torch.no_grad():
        for parameter in [*bert.encoder.parameters(), *head.parameters(), bert.embeddings.word_embeddings.weight]:
            parameter.zero_()
        bert.embeddings.token_type_embeddings.weight.zero_()
        for norm in [module for module in model.decoder.modules() if isinstance(module, torch.nn.LayerNorm)]:
            norm.weight.fill_(1)
        states = torch.nn.functional.layer_norm(bert.embeddings.position_embeddings.weight, (24,))
        head.transform.dense.weight.copy_(torch.eye(24))
        reached = head.transform(states[: len(ids) + 1])
        wanted = torch.full((len(ids) + 1, model.decoder.config.vocab_size), -1.0)
        wanted[range(len(ids) + 1), [*ids, end]] = 12
        head.decoder.weight.copy_(torch.linalg.lstsq(reached, wanted).solution.T)
