"""Split words into sub-word pieces."""

from functools import lru_cache
from pathlib import Path
from typing import Protocol

from tokenizers import Tokenizer

# A long number falls into many uninformative pieces: its start and end are enough to tell what it is.
MAX_PIECES = 4
# Abbreviations are no longer than this many letters; longer words in capitals are shown as names are written, because
# vocabularies with case know few words in capitals.
ABBREVIATION = 3

Corners = tuple[int, int, int, int]


class Pieces(Protocol):
    """A tokenizer applied word by word, and the tokens around a window of words."""

    pad: int
    start: int
    end: int
    end_box: Corners
    """The position of the end mark, in thousandths of the page."""

    def of_word(self, word: str) -> tuple[int, ...]:
        """One piece or more."""
        ...


class WordPieces:
    """The WordPiece vocabulary of a checkpoint of this project (Wu et al., 2016), applied word by word.

    Values are never rebuilt from pieces: the tokenizer drops case and accents, the page's words keep them.
    """

    end_box: Corners = (0, 0, 0, 0)

    def __init__(self, checkpoint: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(checkpoint / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.pad = self.special("[PAD]")
        self.start = self.special("[CLS]")
        self.end = self.special("[SEP]")
        self.unknown = self.special("[UNK]")
        self.of_word = lru_cache(maxsize=200_000)(self._of_word)

    def has(self, *tokens: str) -> bool:
        """Whether all of these are in the vocabulary."""
        return all(self._tokenizer.token_to_id(token) is not None for token in tokens)

    def special(self, token: str) -> int:
        """The id of a special token; raise ValueError if the vocabulary lacks it."""
        found = self._tokenizer.token_to_id(token)
        if found is None:
            raise ValueError(f"the tokenizer has no {token} token")
        return int(found)

    def _of_word(self, word: str) -> tuple[int, ...]:
        shown = word.title() if word.isupper() and sum(map(str.isalpha, word)) > ABBREVIATION else word
        ids = self._tokenizer.encode(shown, add_special_tokens=False).ids or [self.unknown]
        if len(ids) > MAX_PIECES:
            ids = [*ids[: MAX_PIECES - 1], ids[-1]]
        return tuple(ids)
