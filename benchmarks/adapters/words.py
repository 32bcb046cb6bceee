"""Tokenizers of the kinds that published checkpoints bring, trained on the words of generated documents."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from tokenizers import Tokenizer, decoders, normalizers, pre_tokenizers, processors
from tokenizers.models import BPE, Unigram, WordPiece
from tokenizers.trainers import BpeTrainer, UnigramTrainer, WordPieceTrainer
from transformers import PreTrainedTokenizerFast

from models.training.generator import generate_training

VOCABULARY = 6000
_DOCUMENTS = 200
_UNKNOWN = "[UNK]"
_MARKS = {"pad": "[PAD]", "unk": _UNKNOWN, "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
_SPECIAL = list(_MARKS.values())


def word_pieces() -> Any:
    """As BERT's."""
    tokenizer = Tokenizer(WordPiece(unk_token=_UNKNOWN))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return _trained(tokenizer, WordPieceTrainer(vocab_size=VOCABULARY, special_tokens=_SPECIAL))


def byte_pairs() -> Any:
    """As RoBERTa's and ModernBERT's: the space before a word belongs to its first piece."""
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    letters = pre_tokenizers.ByteLevel.alphabet()
    trainer = BpeTrainer(vocab_size=VOCABULARY, special_tokens=_SPECIAL, initial_alphabet=letters)
    return _trained(tokenizer, trainer)


def unigrams() -> Any:
    """As those of XLM-R and DeBERTa."""
    tokenizer = Tokenizer(Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return _trained(tokenizer, UnigramTrainer(vocab_size=VOCABULARY, special_tokens=_SPECIAL, unk_token=_UNKNOWN))


@cache
def _words() -> tuple[str, ...]:
    samples = (generate_training(seed) for seed in range(_DOCUMENTS))
    return tuple(f" {word.text}" for sample in samples for page in sample.document.pages for word in page.words)


def _trained(tokenizer: Tokenizer, trainer: Any) -> Any:
    tokenizer.train_from_iterator(_batches(), trainer)
    marks = [(mark, tokenizer.token_to_id(mark)) for mark in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=marks
    )
    made: Any = PreTrainedTokenizerFast
    return made(tokenizer_object=tokenizer, **{f"{name}_token": mark for name, mark in _MARKS.items()})


def _batches() -> Iterator[list[str]]:
    words = list(_words())
    for start in range(0, len(words), 1000):
        yield words[start : start + 1000]
