"""Find a document's best answer to a question from the scores of its words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

# For header fields: a company name may be long, but an address is not an answer.
MAX_WORDS = 12


@dataclass(frozen=True, slots=True)
class Answer:
    """Words `first` to `last` of the page at index `page`, and the probability that they are the answer."""

    page: int
    first: int
    last: int
    probability: float


@dataclass(slots=True)
class WordScores:
    """Logits of one page: of each word beginning and ending the answer, and of there being none."""

    begins: Floats
    ends: Floats
    nothing_begins: float = -np.inf
    nothing_ends: float = -np.inf

    @classmethod
    def nothing(cls, words: int) -> "WordScores":
        """Scores before any window has been seen."""
        return cls(np.full(words, -np.inf, dtype=np.float32), np.full(words, -np.inf, dtype=np.float32))

    def add(self, words: Ints, begins: Floats, ends: Floats) -> None:
        """The logits of a window's tokens; `words` holds the word of each, -1 for none.

        The first token, the classification mark, stands for "no answer here". A word keeps the best of its tokens and
        windows.
        """
        inside = words >= 0
        np.maximum.at(self.begins, words[inside], begins[inside])
        np.maximum.at(self.ends, words[inside], ends[inside])
        self.nothing_begins = max(self.nothing_begins, float(begins[0]))
        self.nothing_ends = max(self.nothing_ends, float(ends[0]))


def best_answer(pages: Sequence[WordScores]) -> Answer | None:
    """The likeliest span of one page, of at most MAX_WORDS words; None if there are no words.

    The probability of a span is that of its first word beginning the answer times that of its last word ending it,
    among all words of the document and "no answer".
    """
    if not any(len(page.begins) for page in pages):
        return None
    begins = _shares([page.begins for page in pages], max(page.nothing_begins for page in pages))
    ends = _shares([page.ends for page in pages], max(page.nothing_ends for page in pages))
    answers = [_best_on_page(number, *both) for number, both in enumerate(zip(begins, ends, strict=True))]
    return max((answer for answer in answers if answer), key=lambda answer: answer.probability)


def _shares(logits: Sequence[Floats], nothing: float) -> list[Floats]:
    """The logits of all pages as probabilities that sum to 1 together with that of "no answer"."""
    every = np.concatenate([*logits, np.array([nothing], dtype=np.float32)]).astype(np.float64)
    powers = np.exp(every - every.max())
    shares = (powers / powers.sum()).astype(np.float32)
    return np.split(shares[:-1], np.cumsum([len(page) for page in logits])[:-1])


def _best_on_page(number: int, begins: Floats, ends: Floats) -> Answer | None:
    count = len(begins)
    if not count:
        return None
    # Row n: spans of n + 1 words.
    together = np.zeros((min(MAX_WORDS, count), count), dtype=np.float32)
    for more, row in enumerate(together):
        row[: count - more] = begins[: count - more] * ends[more:]
    best = int(np.argmax(together))
    more, first = divmod(best, count)
    return Answer(number, first, first + more, float(together[more, first]))
