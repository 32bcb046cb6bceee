"""Words to sub-word pieces."""

from functools import lru_cache
from pathlib import Path

from tokenizers import Tokenizer

# A long number falls into many pieces that say little: its start and its end are enough to know its kind.
MAX_PIECES = 4


class WordPieces:
    """The WordPiece vocabulary of a checkpoint (Wu et al., 2016), applied word by word.

    Values are never rebuilt from pieces: the tokenizer drops case and accents, the page's words keep them.
    """

    def __init__(self, checkpoint: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(checkpoint / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.pad = self.special("[PAD]")
        self.start = self.special("[CLS]")
        self.end = self.special("[SEP]")
        self.unknown = self.special("[UNK]")
        self.of_word = lru_cache(maxsize=200_000)(self._of_word)

    def special(self, token: str) -> int:
        """The id of a special token; raise ValueError when the vocabulary lacks it."""
        found = self._tokenizer.token_to_id(token)
        if found is None:
            raise ValueError(f"the tokenizer has no {token} token")
        return int(found)

    def _of_word(self, word: str) -> tuple[int, ...]:
        ids = self._tokenizer.encode(word, add_special_tokens=False).ids or [self.unknown]
        if len(ids) > MAX_PIECES:
            ids = [*ids[: MAX_PIECES - 1], ids[-1]]
        return tuple(ids)
