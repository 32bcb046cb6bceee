"""The tokenizers of other people's checkpoints."""

from functools import lru_cache
from pathlib import Path

from models.config import ModelError
from models.pieces import Corners
from models.pretrained import load_tokenizer

# Third-party models were trained on all pieces, but no word is worth a whole window.
_MAX_FOREIGN_PIECES = 48


class ForeignPieces:
    """The tokenizer of any other checkpoint: WordPiece, byte-level BPE or SentencePiece, as transformers loads it.

    Words are encoded with a leading space: tokenizers that mark the start of a word by that space (RoBERTa, XLM-R,
    DeBERTa) then see what they see in running text, and the others drop it.
    """

    def __init__(self, checkpoint: Path, end_box: Corners = (0, 0, 0, 0)) -> None:
        self.tokenizer = load_tokenizer(checkpoint)
        self._backend = self.tokenizer.backend_tokenizer
        self._backend.no_truncation()
        self._backend.no_padding()
        self.pad = self._id("pad_token_id", "eos_token_id")
        self.start = self._id("cls_token_id", "bos_token_id")
        self.end = self._id("sep_token_id", "eos_token_id")
        self._unknown = self._id("unk_token_id", "pad_token_id", "eos_token_id")
        # Tokenizers of layout models define the position of their end mark.
        own_box = getattr(self.tokenizer, "sep_token_box", None)
        self.end_box = tuple(own_box) if own_box else end_box
        self.of_word = lru_cache(maxsize=200_000)(self._of_word)

    def _id(self, *names: str) -> int:
        for name in names:
            found = getattr(self.tokenizer, name, None)
            if found is not None:
                return int(found)
        raise ModelError(f"the tokenizer has no {names[0].removesuffix('_id')}")

    def _of_word(self, word: str) -> tuple[int, ...]:
        ids = self._backend.encode(f" {word}", add_special_tokens=False).ids or [self._unknown]
        return tuple(ids[:_MAX_FOREIGN_PIECES])
